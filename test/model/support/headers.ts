/** No store gives them back. */
export const typeHeaders = { type: "application/octet-stream" } as const;
