import { request } from 'node:http'

/** GET of a path exactly as written: ordinary clients would resolve its dots first. */
export function getRaw(url: string, path: string, token: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((done, refuse) => {
    const sent = request({ hostname, port, path, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part
        })
        .on('end', () => done({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', refuse).end()
  })
}
