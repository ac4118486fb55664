import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { s3Backend } from '@outpost/platform/files/s3'
import { createFiles } from '@outpost/platform/files/store'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-files-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const everything = async () => (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

test('what goes in comes out, whole or in part, under a random key', async () => {
  const files = createFiles({ folder })
  const received = await files.receive(Readable.from(['hello ', 'world']), { maxBytes: 100 })
  expect(received.size).toBe(11)
  expect(received.sha256.toString('hex')).toBe('b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9')
  const key = await received.keep()
  expect(key).toMatch(/^[0-9a-f]{48}$/)
  expect(await text((await files.open(key))?.body ?? Readable.from([]))).toBe('hello world')
  expect(await text((await files.open(key, { start: 6, end: 10 }))?.body ?? Readable.from([]))).toBe('world')
  await files.remove(key)
  expect(await files.open(key)).toBeUndefined()
})

test('an aborted or too long stream leaves nothing behind', async () => {
  const files = createFiles({ folder })
  const cut = new Readable({
    read() {
      this.push('half')
      this.destroy(new Error('cut'))
    },
  })
  await expect(files.receive(cut, { maxBytes: 100 })).rejects.toThrow('cut')
  await expect(files.receive(Readable.from(['x'.repeat(101)]), { maxBytes: 100 })).rejects.toMatchObject({ failure: 'TOO_LARGE' })
  expect(await everything()).toEqual([])
})

test('a full disk is NO_SPACE', async () => {
  const files = createFiles({
    folder,
    shelf: {
      put: async () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      },
      open: async () => undefined,
      remove: async () => undefined,
    },
  })
  const received = await files.receive(Readable.from(['x']), { maxBytes: 100 })
  await expect(received.keep()).rejects.toMatchObject({ failure: 'NO_SPACE', message: 'There is no space left to store the file.' })
  expect(await everything()).toEqual([])
})

test('keys that are not ours never reach the disk', async () => {
  const files = createFiles({ folder })
  for (const key of ['../../etc/passwd', '', 'a'.repeat(47), `${'a'.repeat(46)}/.`, 'A'.repeat(48)])
    expect(await files.open(key)).toBeUndefined()
})

test('the sweep takes old leftovers only', async () => {
  const files = createFiles({ folder })
  const [old, fresh] = [
    await files.receive(Readable.from(['x']), { maxBytes: 9 }),
    await files.receive(Readable.from(['y']), { maxBytes: 9 }),
  ]
  await utimes(old.path, new Date(0), new Date(0))
  expect(await files.sweep(60_000)).toBe(1)
  await fresh.discard()
  expect(await everything()).toEqual([])
})

test('the same store on S3: put, read in part, miss, remove', async () => {
  const objects = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    const key = new URL(request.url ?? '/', 'http://s3').pathname
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const found = objects.get(key)
      if (request.method === 'PUT') objects.set(key, Buffer.concat(chunks))
      else if (request.method === 'DELETE') objects.delete(key)
      else if (!found) return response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>')
      else {
        const [, start, end] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? []
        const body = start === undefined ? found : found.subarray(Number(start), Number(end) + 1)
        return response
          .writeHead(start === undefined ? 200 : 206, {
            'content-length': body.length,
            ...(start === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${found.length}` }),
          })
          .end(body)
      }
      return response.writeHead(200).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const shelf = s3Backend({ endpoint: `http://127.0.0.1:${port}`, bucket: 'outpost', accessKeyId: 'a', secretAccessKey: 'b' })
  const files = createFiles({ folder, shelf })
  const key = await (await files.receive(Readable.from(['hello world']), { maxBytes: 100 })).keep()
  expect([...objects.keys()]).toEqual([`/outpost/${key}`])
  const whole = await files.open(key)
  expect([whole?.size, await text(whole?.body ?? Readable.from([]))]).toEqual([11, 'hello world'])
  const part = await files.open(key, { start: 6, end: 10 })
  expect([part?.size, await text(part?.body ?? Readable.from([]))]).toEqual([11, 'world'])
  await files.remove(key)
  expect(await files.open(key)).toBeUndefined()
  expect(await everything()).toEqual([])
  server.closeAllConnections()
  server.close()
})
