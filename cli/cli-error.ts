/** An error that the user of the command line can fix: its message is shown, without a stack. */
export class CliError extends Error {
  /** The exit code: 2 if the command itself was wrong, as is usual. */
  readonly exitCode: 1 | 2;

  constructor(message: string, { exitCode = 1, cause }: { exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}
