import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { interleaved, median, ratios, rounded, spread, type Figure } from './figure.ts'
import type { House } from './house.ts'
import { batch } from './push.ts'

const packages = fileURLToPath(new URL('../peers/pouch', import.meta.url))
/** Of one side in a round: one alone takes too short a time. */
const batchesARound = 4

/** Our push against that of the canonical protocol, batch by batch: it asks what the server lacks and sends that, as a replication does. */
export async function againstPouch(house: House, push: () => Promise<number>): Promise<Figure> {
  await installed()
  const folder = await mkdtemp(join(tmpdir(), 'outpost-pouch-'))
  const peer = await house.startPeer('pouch', { POUCH_FOLDER: join(folder, 'data') })
  try {
    await ask(house, `${peer.url}/leads`, 'PUT')
    const rates = await interleaved({ push: () => several(push), pouch: () => several(() => replicate(house, `${peer.url}/leads`)) })
    const all = ratios(rates.push, rates.pouch)
    return {
      name: 'sync push / express-pouchdb over LevelDB',
      value: rounded(median(all)),
      unit: 'x',
      target: '>= 1',
      detail: `${spread(all, ' x')}; ${Math.round(median(rates.push))} / ${Math.round(median(rates.pouch))} changes a second, batches of ${batch}, one client`,
    }
  } finally {
    await peer.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The peer's packages, by its own lock file, and none of their scripts. */
async function installed(): Promise<void> {
  if (existsSync(join(packages, 'node_modules'))) return
  console.log('installing the peer of the sync bench ...')
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: packages })
}

/** Changes a second over some batches. */
async function several(one: () => Promise<number>): Promise<number> {
  let seconds = 0
  for (let n = 0; n < batchesARound; n += 1) seconds += batch / (await one())
  return (batch * batchesARound) / seconds
}

let count = 0

/** One batch of new leads, of the same fields as ours. */
async function replicate(house: House, url: string): Promise<number> {
  const docs = Array.from({ length: batch }, () => {
    count += 1
    const lead = {
      firstName: 'Njeri',
      lastName: 'Mwangi',
      phonenumber: `07${String(30_000_000 + count)}`,
      emailAddress: `sync${count}@mail.test`,
    }
    const revision = createHash('md5').update(JSON.stringify(lead)).digest('hex')
    return { ...lead, _id: randomUUID(), _rev: `1-${revision}`, _revisions: { start: 1, ids: [revision] } }
  })
  const missing = Object.fromEntries(docs.map(({ _id, _rev }) => [_id, [_rev]]))
  const asked = await ask(house, `${url}/_revs_diff`, 'POST', missing)
  const sent = await ask(house, `${url}/_bulk_docs`, 'POST', { docs, new_edits: false })
  if (sent.text.trim() !== '[]') throw new Error(`_bulk_docs: ${sent.text.slice(0, 300)}`)
  return (batch * 1_000) / (asked.ms + sent.ms)
}

async function ask(house: House, url: string, method: string, body?: object): Promise<{ text: string; ms: number }> {
  const headers = { 'content-type': 'application/json' }
  const answer = await house.call({ url, path: '', method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer
}
