/** CRC-16/IBM (ARC): polynomial 0x8005 reflected, start 0, no final xor. */
const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1
  return crc
})

/** The CRC-16/IBM that Teltonika appends to every packet. */
export function crcOf(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0)
  return crc
}
