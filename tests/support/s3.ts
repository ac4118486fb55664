import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An S3 server of a few objects: put, get, delete, and lists of two keys a page. Objects are named /<bucket>/<key>. */
export async function startS3() {
  const objects = new Map<string, Buffer>()
  const asked: string[] = []
  let isCut = false
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://s3')
    asked.push(`${request.method} ${request.url}`)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (searchParams.get('list-type') === '2') {
        const bucket = `${pathname.replace(/\/$/, '')}/`
        const keys = [...objects.keys()].filter((key) => key.startsWith(`${bucket}${searchParams.get('prefix') ?? ''}`)).sort()
        const from = Number(searchParams.get('continuation-token') ?? 0)
        const page = keys.slice(from, from + 2).map((key) => `<Contents><Key>${key.slice(bucket.length)}</Key></Contents>`)
        const more = from + 2 < keys.length
        const next = more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
        return response
          .writeHead(200, { 'content-type': 'application/xml' })
          .end(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${page.join('')}${next}</ListBucketResult>`)
      }
      if (request.method === 'PUT') objects.set(pathname, Buffer.concat(chunks))
      else if (request.method === 'DELETE') objects.delete(pathname)
      else {
        const found = objects.get(pathname)
        if (!found) return response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>')
        response.writeHead(200, { 'content-length': found.length })
        if (!isCut) return response.end(found)
        isCut = false
        return response.write(found.subarray(0, 2), () => response.destroy())
      }
      return response.writeHead(200).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    /** Method and address of each request so far. */
    asked,
    /** The next object that is read breaks off after two bytes. */
    cutNext: () => {
      isCut = true
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
