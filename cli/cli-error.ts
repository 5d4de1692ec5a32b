/** An error that the user of the command line can fix: its message is shown, without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  /** The exit code: 2 if the command itself was wrong, as is usual. */
  readonly exitCode: 1 | 2;

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The command itself is wrong. */
export const usageError = (message: string) => new CliError(message, { exitCode: 2 });
