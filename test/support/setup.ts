// Before each test file. What it imports is evaluated once a process, which many files share.
import "./equal-bytes.ts";
import { describeScenesOnFailure } from "./scenes.ts";

describeScenesOnFailure();
