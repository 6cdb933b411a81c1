/** With `npm run test:deep`: the full counts. */
export const deep = process.env["ALMANAC_TEST_DEEP"] === "1";
