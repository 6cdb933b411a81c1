// Reads the results of test runs for `run`.
//   results.js failed REPORT           the files to repeat, a line each; exit code 1 if there is nothing to repeat
//   results.js print REPORT REPEATED...  what failed, by name, and one line with the count of tests
import { existsSync, readFileSync } from "node:fs";

/** More than this many is not one bad moment of the machine. */
const mostRepeated = 3;
const mostShown = 3;

const [wish, ...paths] = process.argv.slice(2);
if (wish === "failed") {
  const files = failedIn(paths[0]).map(({ name }) => name);
  if (files.length === 0 || files.length > mostRepeated) process.exit(1);
  console.log(files.join("\n"));
} else {
  let [passed, failed] = [0, 0];
  for (let index = 0; index < paths.length; index += 2) {
    const [report, repeated] = paths.slice(index, index + 2);
    passed += read(report)?.numPassedTests ?? 0;
    if (!existsSync(report)) {
      console.log(`failed: ${report} has not been written`);
      failed += 1;
    }
    const stillFailed = new Set(failedIn(repeated).map(({ name }) => name));
    for (const file of failedIn(report)) {
      const isFixed = existsSync(repeated) && !stillFailed.has(file.name);
      if (isFixed) passed += file.count;
      else failed += file.count;
      console.log(`${isFixed ? "failed once, and passed when repeated" : "failed"}: ${file.name}`);
      for (const { fullName, failureMessages } of file.tests.slice(0, mostShown)) {
        console.log(`  ${fullName}\n    ${failureMessages[0]?.slice(0, 2500)}`);
      }
      if (file.tests.length > mostShown)
        console.log(`  and ${file.tests.length - mostShown} more of this file`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
}

/** A file that fails before its first test counts as one failure. */
function failedIn(path) {
  return (read(path)?.testResults ?? [])
    .filter(({ status }) => status === "failed")
    .map(({ name, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === "failed");
      return { name, tests, count: Math.max(1, tests.length) };
    });
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}
