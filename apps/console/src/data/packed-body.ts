/** Smaller ones fit in a packet or two as they are. */
const smallest = 1_024

/** Something on the way took a body only when it was plain: asked again after the page was loaded anew. */
let isRefused = false
export const noteNoPacking = (): void => {
  isRefused = true
}

/** The JSON of a body as gzip; null where it should go plain: it is small, the browser cannot do it, or the server did not take it. */
export async function packedBody(body: unknown): Promise<ArrayBuffer | null> {
  if (isRefused || typeof CompressionStream === 'undefined') return null
  const text = JSON.stringify(body)
  if (text.length < smallest) return null
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer()
}

/**
 * True of an answer that may be about the compression: a server of before cannot read such a body (400), another does not take the encoding
 * (415), a gateway that does not let it through answers with a page of its own. Nothing of it counted then, and it may go again.
 */
export function isPackingRefused({ status, headers }: Response): boolean {
  const isForeign = headers.get('content-type')?.includes('json') !== true
  return status === 400 || status === 415 || (isForeign && status > 400 && status < 500)
}
