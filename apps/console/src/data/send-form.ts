interface FormRequest {
  headers: Record<string, string>
  body: FormData
  signal: AbortSignal
  onProgress: (share: number) => void
}

/** Sends a form and reports how much of it has gone out, which fetch cannot. Rejects like fetch: with the signal's reason, or a TypeError without an answer. */
export function sendForm(method: string, path: string, { headers, body, signal, onProgress }: FormRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    request.open(method, path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total)
    }
    request.onload = () => resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }))
    request.onerror = () => reject(new TypeError('The server cannot be reached.'))
    request.onabort = () => reject(signal.reason instanceof Error ? signal.reason : new DOMException('Stopped', 'AbortError'))
    request.onloadend = () => signal.removeEventListener('abort', stop)
    if (signal.aborted) return reject(signal.reason instanceof Error ? signal.reason : new DOMException('Stopped', 'AbortError'))
    signal.addEventListener('abort', stop)
    request.send(body)
  })
}

/** Those that the caller looks at. */
function headersOf(request: XMLHttpRequest): Record<string, string> {
  const names = ['content-type', 'retry-after', 'x-request-id']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = request.getResponseHeader(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}
