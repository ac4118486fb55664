import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { createMake } from '../support/make.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { signIn } from './field.ts'

const run = promisify(execFile)

let database: TestDatabase
let dataDir: string
let isMounted = false
let server: ServerProcess
let token: string

/** A disk of 4 MB under the folder of files: a real one where this machine lets us, else files that cannot grow beyond 3 MB. */
beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-disk-'))
  await mkdir(join(dataDir, 'files'))
  isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', join(dataDir, 'files')]).then(
    () => true,
    () => false,
  )
  server = await startServer({ database, dataDir, env: { ROLE: 'api' }, ...(isMounted ? {} : { before: 'ulimit -f 6144' }) })
  token = await signIn(server.url, await createMake(database).user({ role: 'officer' }))
})
afterAll(async () => {
  await killServers()
  if (isMounted) await run('umount', [join(dataDir, 'files')])
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function upload(size: number): Promise<{ status: number; code?: string; url?: string }> {
  const form = new FormData()
  form.append('file', new Blob(['x'.repeat(size)], { type: 'text/plain' }), 'notes.txt')
  const answer = await fetch(`${server.url}/api/storage/upload`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${token}` },
  })
  const { code, data } = (await answer.json()) as { code?: string; data?: { files: { url: string }[] } }
  return { status: answer.status, ...(code ? { code } : {}), ...(data?.files[0] ? { url: data.files[0].url } : {}) }
}

const files = async () =>
  (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
const rows = async () => Number((await database.admin.query<{ n: string }>('select count(*) as n from stored_file')).rows[0]?.n)

it('a full disk: 507, no row and no bytes; what is there is read, and what fits is taken (F17)', async () => {
  const small = await upload(1_000)
  expect(small.status).toBe(200)
  for (let n = 0; n < 3; n += 1) expect(await upload(8_000_000)).toEqual({ status: 507, code: 'NO_SPACE' })
  expect([await rows(), (await files()).length]).toEqual([1, 1])
  const read = await fetch(`${server.url}${small.url ?? ''}`, { headers: { authorization: `Bearer ${token}` } })
  expect((await read.text()).length).toBe(1_000)
  expect((await upload(1_000)).status).toBe(200)
  expect([await rows(), (await files()).length]).toEqual([2, 2])
  expect(server.isRunning()).toBe(true)
})

it('several at once: those that fit are whole, the others leave nothing', async () => {
  const before = await rows()
  const answers = await Promise.all(Array.from({ length: 6 }, () => upload(1_200_000)))
  const taken = answers.filter(({ status }) => status === 200)
  if (isMounted) expect(taken.length).toBeLessThan(4)
  expect(answers.filter(({ status }) => status !== 200 && status !== 507)).toEqual([])
  expect([await rows(), (await files()).length]).toEqual([before + taken.length, before + taken.length])
  for (const { url } of taken) {
    const read = await fetch(`${server.url}${url ?? ''}`, { headers: { authorization: `Bearer ${token}` } })
    expect((await read.text()).length).toBe(1_200_000)
  }
})
