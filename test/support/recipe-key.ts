/** The site's public key in the recipes of docs/ and packages/: a test that runs one puts its own there. */
export const recipeKey = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=";

/** The key's file in those recipes that are commands. */
export const recipeKeyFile = "site-key.pem";
