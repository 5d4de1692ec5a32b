/**
 * A jar with only a manifest, which starts a class of another jar. firebase-tools runs `java -jar`, but the Google
 * Cloud SDK's Firestore emulator is a jar without a main class.
 */
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";

const manifestLineBytesMax = 72; // from the JAR File Specification, line break not counted

export function wrapperJar(mainClass: string, jarPath: string): Buffer {
  return storedZip("META-INF/MANIFEST.MF", Buffer.from(wrapperManifest(mainClass, jarPath)));
}

/** The manifest's text. Longer lines continue in the next, which begins with a space. */
export function wrapperManifest(mainClass: string, jarPath: string): string {
  return [
    "Manifest-Version: 1.0",
    `Main-Class: ${mainClass}`,
    `Class-Path: ${pathToFileURL(jarPath).href}`,
    "",
  ]
    .map((line) => `${fold(line)}\r\n`)
    .join("");
}

/** The line must be ASCII, as class names and file URLs are, so that a character is a byte. */
function fold(line: string): string {
  const head = line.slice(0, manifestLineBytesMax);
  const rest = line.slice(manifestLineBytesMax);
  return rest === "" ? head : `${head}\r\n${fold(` ${rest}`)}`;
}

/** A zip archive of one uncompressed file (APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16). */
function storedZip(name: string, content: Buffer): Buffer {
  const nameBytes = Buffer.from(name);
  const shared = Buffer.alloc(26); // the fields that both headers have, from "version needed" on
  shared.writeUInt16LE(20, 0); // version needed: 2.0
  shared.writeUInt16LE(0x21, 8); // date: 1980-01-01, so that the same jar has the same bytes
  shared.writeUInt32LE(crc32(content), 10);
  shared.writeUInt32LE(content.length, 14); // compressed
  shared.writeUInt32LE(content.length, 18); // uncompressed
  shared.writeUInt16LE(nameBytes.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, nameBytes, content]);
  const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), shared, Buffer.alloc(14), nameBytes]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 8); // entries on this disk
  end.writeUInt16LE(1, 10); // entries
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}
