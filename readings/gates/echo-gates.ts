// Gates "sign" and "period": is the answer for what was asked?
import { periodNamedBy } from "../period-echo.ts";
import { signsNamedIn } from "../sign-names.ts";
import { cleanLine } from "../clean-text.ts";
import { quotedLine } from "../failures.ts";
import { type AnswerGate, note, refuse } from "./gate.ts";

/** A known name of another sign is refused; a name that no language knows is only noted. */
export const signGate: AnswerGate = ({ signEchoes }) =>
  signEchoes.flatMap(({ field, said, asked }) => {
    const named = signsNamedIn(said);
    if ([...named].some((sign) => sign === asked)) return [];
    const quoted = quotedLine(cleanLine(said).slice(0, 60));
    if (named.size === 0) return [note("sign", `${field} says ${quoted}, which is no sign name we know`)];
    return [refuse("sign", `asked for ${asked}, but ${field} says ${[...named].join(" or ")}`)];
  });

/** In English the form is documented, so what can't be read is refused; a translation is only noted. */
export const periodGate: AnswerGate = ({ request, reading, periodEcho }) => {
  if (periodEcho === undefined || reading.family !== "horoscope") return [];
  const { field, said } = periodEcho;
  const quoted = quotedLine(cleanLine(said).slice(0, 60));
  switch (periodNamedBy(said, request.period, reading.operation, request.language)) {
    case "named":
      return [];
    case "another":
      return [refuse("period", `asked for ${request.period}, but ${field} says ${quoted}`)];
    case "unreadable": {
      const reason = `asked for ${request.period}, but ${field} says ${quoted}, which can't be read`;
      return [request.language === "en" ? refuse("period", reason) : note("period", reason)];
    }
  }
};
