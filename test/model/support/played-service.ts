// The reading service as the model plays it: each call draws another text, known by its word; some answers are refused, unfit or
// do not come.
import { z } from "zod";
import { type ServiceAnswer, Unavailable } from "../../../readings/answer.ts";
import {
  type HoroscopeRequest,
  type ReadingRequest,
  type RequestKey,
  requestBefore,
  requestKey,
  selectEndpoint,
} from "../../../readings/request.ts";
import type { EndpointName } from "../../../readings/tables.ts";
import { storedResponseSchema } from "../../../vault/vault.ts";
import { layout } from "../../../vault/files.ts";
import type { Service } from "../../../service/service.ts";
import { callDayOf } from "../../../vault/call-notes.ts";
import { storedResponseOf } from "../../support/stored-responses.ts";
import type { Store } from "../../../store/store.ts";
import { bytes } from "../../support/stores.ts";
import type { Call, Reference } from "./reference.ts";
import type { Stage, Task } from "./stage.ts";

const answerShape = z.object({ success: z.literal(1), data: z.looseObject({ prediction: z.unknown() }) });
const midnightMs = 3 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** Dependencies on the world. */
interface Around {
  readonly stage: Stage;
  readonly newWord: (key: RequestKey) => string;
  readonly reference: Reference;
  readonly vault: Store;
  readonly call: <Answer>(task: Task, what: string, make: () => Promise<Answer>) => Promise<Answer>;
  readonly requireOwner: (task: Task, endpoint: EndpointName) => void;
  readonly watch: (look: () => void) => Promise<unknown>;
}

export interface PlayedService {
  /** Number of wrong responses in ten. */
  bad: number;
  for(task: Task): Service;
}

export function createPlayedService({
  stage,
  newWord,
  reference,
  vault,
  requireOwner,
  call: make,
  watch,
}: Around): PlayedService {
  const played: PlayedService = {
    bad: 0,
    for: (task) => ({
      async call(request, { onSent, instant }) {
        const call: Call = {
          key: requestKey(request),
          endpoint: selectEndpoint(request),
          task,
          day: isDayKnown(task, instant) ? callDayOf(instant) : undefined,
          sentMs: stage.atMs,
          isAnswered: false,
        };
        const body = await make(task, `ask ${call.key}`, async () => {
          onSent?.();
          call.sentMs = stage.atMs;
          stage.trace.push(`${task.name} asks for ${call.key} on ${call.day}`);
          await watch(() => requireOwner(task, call.endpoint));
          await watch(() => reference.asked(call));
          const answer = await bodyFor(request, played.bad > 0 && stage.chance(played.bad));
          if (answer === undefined) reference.unanswered(call);
          else reference.answered(call);
          return answer;
        });
        const facts = { key: call.key, address: "http://127.0.0.1/" };
        if (body === undefined) throw new Unavailable({ ...facts, seen: "no answer came" });
        return answerWith(body, stage.now(task.machine));
      },
      close: async () => undefined,
    }),
  };

  async function bodyFor(request: ReadingRequest, isBad: boolean): Promise<string | undefined> {
    if (isBad && "sign" in request && stage.chance(0.8)) return textOfBefore(request);
    if (isBad) {
      const lot = stage.random();
      if (lot < 0.4) return undefined;
      return lot < 0.7 ? '{"success":2,"msg":"not now"}' : '{"success":1,"data":{}}';
    }
    return fit(request);
  }

  function fit(request: ReadingRequest): string {
    return storedResponseOf(request, { words: newWord(requestKey(request)) }).body;
  }

  /** The text that the vault has for the period before: a set rule names both. */
  async function textOfBefore(request: HoroscopeRequest): Promise<string> {
    const before = await vault.read(layout.response(requestKey(requestBefore(request))));
    if (before === undefined) return fit(request);
    const { body } = storedResponseSchema.parse(JSON.parse(Buffer.from(before.body).toString()));
    const { prediction } = answerShape.parse(JSON.parse(body)).data;
    const own = answerShape.parse(JSON.parse(storedResponseOf(request).body));
    return JSON.stringify({ ...own, data: { ...own.data, prediction } });
  }
  return played;
}

function isDayKnown({ machine, jumps }: Task, at: Date): boolean {
  return at.getTime() % dayMs >= midnightMs && jumps === machine.jumps;
}

function answerWith(body: string, at: Date): ServiceAnswer {
  const address = "http://127.0.0.1/";
  return { address, status: 200, retryAfter: undefined, body: bytes(body), receivedAt: at, elapsedMs: 1 };
}
