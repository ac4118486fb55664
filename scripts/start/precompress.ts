import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

/** Smaller files fit into one packet anyway. */
const leastBytes = 1_000

/**
 * Lays a brotli and a gzip form beside every text file of a built console: the server sends what the browser accepts
 * (`preCompressed` of @fastify/static) and compresses nothing while it serves.
 */
export async function precompress(folder: string): Promise<void> {
  const files: string[] = []
  for await (const file of glob('**/*.{js,css,html,svg,json,webmanifest}', { cwd: folder })) files.push(join(folder, file))
  await Promise.all(files.map(pack))
}

async function pack(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < leastBytes) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [brotli, zipped] = await Promise.all([packBrotli(bytes, { params }), packGzip(bytes, { level: 9 })])
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, zipped)])
}
