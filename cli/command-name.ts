/** How this command line was started, for texts that name a command to run next. */
export const commandName =
  process.env["npm_lifecycle_event"] === "firerank" ? "npm run firerank --" : "npx --no-install firerank";
