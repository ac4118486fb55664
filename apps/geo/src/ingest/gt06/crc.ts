/** CRC-16/X25 ("CRC-ITU"): polynomial 0x1021 reflected, start 0xffff, final xor 0xffff. */
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1
  return crc
})

/** The CRC-ITU that GT06 appends after length, type, content and serial. */
export function crcItu(bytes: Uint8Array): number {
  let crc = 0xffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)
  return crc ^ 0xffff
}
