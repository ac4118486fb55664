/** A file of a form, by its name and bytes. */
export interface FormFile {
  name: string
  bytes: Buffer | string
  field?: string
}

/** A picture of one point. */
export const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  Buffer.from('0000000a49444154789c6300010000050001', 'hex'),
  Buffer.from('0d0a2db40000000049454e44ae426082', 'hex'),
])
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')

/** The bytes of a multipart form; lists are said once for each value, and `filesFirst` sends the files before the fields. */
export async function encodeForm(
  fields: Record<string, unknown>,
  files: readonly FormFile[] = [{ name: 'probe.png', bytes: png }],
  { filesFirst = false } = {},
): Promise<{ payload: Buffer; contentType: string }> {
  const form = new FormData()
  const addFiles = () => {
    for (const { name, bytes, field = 'file' } of files) form.append(field, new Blob([new Uint8Array(Buffer.from(bytes))]), name)
  }
  if (filesFirst) addFiles()
  for (const [key, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value])
      form.append(key, typeof one === 'object' && one !== null ? JSON.stringify(one) : String(one))
  if (!filesFirst) addFiles()
  const encoded = new Response(form)
  return { payload: Buffer.from(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' }
}
