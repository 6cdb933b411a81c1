// The block in the editor: its settings in the sidebar, and a preview rendered by the server.
(({ blocks, blockEditor, components, element, i18n, serverSideRender }) => {
  const { createElement: make, Fragment } = element;
  const { __ } = i18n;
  const { signs, operations, languages } = window.almanacWords;

  const options = (words) => Object.entries(words).map(([value, label]) => ({ value, label }));

  /** The choices that an operation has. */
  const asksFor = (operation) => {
    if (operation === "love-compatibility") return ["sign1", "sign2"];
    return operation.endsWith("-horoscope") ? ["sign"] : [];
  };

  function Edit({ attributes, setAttributes }) {
    const select = (name, label, words) =>
      make(components.SelectControl, {
        key: name,
        label,
        value: attributes[name],
        options: options(words),
        onChange: (value) => setAttributes({ [name]: value }),
      });
    const toggle = (name, label) =>
      make(components.ToggleControl, {
        key: name,
        label,
        checked: attributes[name],
        onChange: (value) => setAttributes({ [name]: value }),
      });
    const labels = {
      sign: __("Sign", "almanac"),
      sign1: __("First sign", "almanac"),
      sign2: __("Second sign", "almanac"),
    };
    const own = { "": __("As in the settings", "almanac"), page: __("The page’s", "almanac"), ...languages };
    const asked = asksFor(attributes.operation);
    // A new element for each choice: WordPress 6.1 drops a change that is made while the previous preview is still loading.
    const key = JSON.stringify(attributes);
    const preview = make(serverSideRender, { key, block: "almanac/reading", attributes });
    return make(
      Fragment,
      null,
      make(
        blockEditor.InspectorControls,
        null,
        make(
          components.PanelBody,
          { title: __("Text", "almanac") },
          select("operation", __("What to show", "almanac"), operations),
          asked.map((name) => select(name, labels[name], signs)),
          select("language", __("Language", "almanac"), own),
          make(components.RangeControl, {
            label: __("Level of the title", "almanac"),
            value: attributes.level,
            min: 1,
            max: 6,
            onChange: (level) => setAttributes({ level }),
          }),
          toggle("title", __("Show the title and the date", "almanac")),
          toggle("pictures", __("Show the cards’ pictures", "almanac")),
          make(components.TextControl, {
            label: __("Sections", "almanac"),
            help: __(
              "Of a horoscope: personal, health, profession, emotions, travel, luck, scores. Empty: all.",
              "almanac",
            ),
            value: attributes.sections,
            onChange: (sections) => setAttributes({ sections }),
          }),
        ),
      ),
      make("div", blockEditor.useBlockProps(), make(components.Disabled, null, preview)),
    );
  }

  blocks.registerBlockType("almanac/reading", { edit: Edit, save: () => null });
})(window.wp);
