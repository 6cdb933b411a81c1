export default () => ({ dir: { input: ".", data: "data" } });
