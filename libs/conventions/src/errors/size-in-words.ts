/** `1 MiB`, `16 KiB`. @param bytes a multiple of 1024. */
export function sizeInWords(bytes: number): string {
  const kibibytes = bytes / 1024;
  return kibibytes % 1024 === 0 ? `${String(kibibytes / 1024)} MiB` : `${String(kibibytes)} KiB`;
}
