/** Errors of the operating system, as of a file that may not be written or of a port that is taken, as sentences. */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { CliError } from "./cli-error.ts";

interface SystemError extends Error {
  code: string;
  syscall: string;
  path?: string;
  /** Where a file is copied or moved to. */
  dest?: string;
  port?: number;
}

/**
 * The system's error as a {@link CliError} that names the file or the port; any other error as it is. Throws nothing.
 * @param file the one that is read or written, as the system names none once it is open
 * @param advice sentences that follow
 */
export function asCliError(
  error: unknown,
  { file, advice }: { file?: string | undefined; advice?: string } = {},
): unknown {
  if (error instanceof CliError || !isSystemError(error)) return error;
  const isOfOpenFile = error.syscall === "read" || error.syscall === "write";
  const said = saidOf(error, error.path ?? (isOfOpenFile ? file : undefined));
  return new CliError(advice === undefined ? said : `${said} ${advice}`, { cause: error });
}

function isSystemError(error: unknown): error is SystemError {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return typeof code === "string" && typeof syscall === "string";
}

function saidOf({ code, syscall, message, dest, port }: SystemError, file: string | undefined): string {
  if (syscall === "listen" && code === "EADDRINUSE")
    return `Port ${port ?? ""} of this computer is taken by another program.`;
  // A program that is started is named as a file is.
  const isFile = file !== undefined && !syscall.startsWith("spawn");
  switch (isFile ? code : "") {
    case "ENOENT": {
      const folders = [file, dest].flatMap((path) => (path === undefined ? [] : [dirname(path)]));
      const missing = folders.find((folder) => !existsSync(folder));
      return missing === undefined
        ? `There is no file "${file}".`
        : `There is no folder "${missing}"; make it first.`;
    }
    case "EACCES":
    case "EPERM":
      return `You may not use "${dest ?? file}": the system does not permit it.`;
    case "EROFS":
      return `"${dest ?? file}" is on a disk that can only be read.`;
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return `"${dest ?? file}" is a folder, and should be a file.`;
    case "EEXIST":
    case "ENOTDIR":
      return `"${file}" needs a folder where there is a file.`;
    case "ENOSPC":
    case "EDQUOT":
      return `The disk has no room for "${dest ?? file}".`;
    default:
      // Such as "EMFILE: too many open files"; there is nothing to say better.
      return `The system refuses this: ${message}.`;
  }
}
