// Runs before each test file. Its imports are evaluated once per process, which many files share.
import "./equal-bytes.ts";
import { describeScenesOnFailure } from "./scenes.ts";
import { measureFile, measuresTimes } from "./times.ts";

describeScenesOnFailure();

if (measuresTimes) measureFile(process.env["ALMANAC_TEST_RUN"] ?? "");
