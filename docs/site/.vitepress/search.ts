// The search of the documentation, which needs no server. Titles rank before headings, and guides before references and explanations.
// The changelog is not indexed, because it mentions every subject.
import type { DefaultTheme } from "vitepress";

export const search: DefaultTheme.Config["search"] = {
  provider: "local",
  options: {
    _render: (source, env, markdown) =>
      env.relativePath === "CHANGELOG.md" ? "" : markdown.render(source, env),
    miniSearch: {
      searchOptions: {
        // The browser gets the source of this function, so it uses nothing from outside.
        boostDocument(id: string, _term: string, stored?: Record<string, unknown>): number {
          const reference =
            /\/(?:command-line|configuration|environment|glossary|published-tree|theme-reference)\//;
          const explanation =
            /\/(?:architecture|contributing|how-it-works|performance|publishing-protocol|security)\//;
          const group = explanation.test(id) ? 0.4 : reference.test(id) ? 0.6 : 1;
          const isTitle = Array.isArray(stored?.titles) && stored.titles.length === 0;
          return isTitle ? 1.7 * group : group;
        },
      },
    },
  },
};
