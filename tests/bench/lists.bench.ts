import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { lead } from '../../apps/server/src/areas/leads/lead.resource.ts'
import '../../apps/server/src/areas/index.ts'
import { listQuery, pageStatement } from '../../apps/server/src/kernel/resource/read/query.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { interleaved, median, ratios, rounded, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { load, type Call } from './support/load.ts'
import { companyId } from './support/rows.ts'

/** The leads list through session, permission and row-level security, against the barest server and against psql, byte for byte the same. */
export const bench: Bench = {
  name: 'lists',
  leads: 200_000,
  run: async (house) => {
    const headers = await house.signIn('md@sunrise.test')
    return [await newest25(house, headers), await tenThousand(house, headers)]
  },
}

async function newest25(house: House, headers: Record<string, string>): Promise<Figure> {
  const path = '/api/leads?page=1&size=25'
  const own = await house.call({ path, headers })
  // Labels, wire form of times and the total are on both sides; the bare one is given the total and counts nothing.
  const { meta } = JSON.parse(own.text) as { meta: object }
  const peer = await house.startPeer('bare', {
    BARE_DATABASE_URL: house.databaseUrl,
    BARE_TEXT: listText(25),
    BARE_COMPANY: companyId,
    BARE_META: JSON.stringify(meta),
  })
  try {
    const calls = { bare: { url: `${peer.url}/leads` }, ours: { url: `${house.url}${path}`, headers } } satisfies Record<string, Call>
    const bytes = await sameBytes(own.text, calls.bare.url)
    const rates = await interleaved({ bare: () => rateOf(calls.bare), ours: () => rateOf(calls.ours) })
    const all = ratios(rates.ours, rates.bare)
    return {
      name: 'list of 25, 8 callers: ours / bare Fastify + pg',
      value: rounded(median(all)),
      unit: 'x',
      target: '>= 0.6',
      detail: `${spread(all, ' x')}; ${Math.round(median(rates.ours))} / ${Math.round(median(rates.bare))} calls a second of the same ${bytes} bytes`,
    }
  } finally {
    await peer.stop()
  }
}

const rateOf = async (call: Call) => (await load({ call, seconds: 2 })).perSecond

async function sameBytes(ours: string, url: string): Promise<number> {
  const bare = await (await fetch(url)).text()
  if (bare !== ours) throw new Error(`not the same answer: ours ${ours.slice(0, 300)}... bare ${bare.slice(0, 300)}...`)
  return Buffer.byteLength(ours)
}

async function tenThousand(house: House, headers: Record<string, string>): Promise<Figure> {
  const path = '/api/leads?page=1&size=10000'
  const text = listText(10_000).replaceAll('$1', `'${companyId}'`)
  const times = await interleaved({ psql: () => psqlTime(house, text), ours: async () => (await house.call({ path, headers })).ms })
  const all = ratios(times.ours, times.psql)
  return {
    name: '10,000 rows: ours / psql',
    value: rounded(median(all)),
    unit: 'x',
    target: '<= 1.5',
    detail: `${spread(all, ' x')}; ${Math.round(median(times.ours))} / ${Math.round(median(times.psql))} ms, labels on both sides`,
  }
}

/** Time of the statement as psql reports it; without psql, of the same text through pg. */
async function psqlTime(house: House, text: string): Promise<number> {
  try {
    const args = ['-At', '-o', '/dev/null', '-c', '\\timing on', '-c', text, house.databaseUrl]
    const { stdout } = await promisify(execFile)('psql', args, { maxBuffer: 64 << 20 })
    return Number(/Time: ([\d.]+) ms/.exec(stdout)?.[1])
  } catch {
    const begun = performance.now()
    await house.admin.query(text)
    return performance.now() - begun
  }
}

/** The statement of our own list, for a superuser whom no walls hold; its only value is the company. */
const everywhere = { company: { id: companyId, timeZone: 'Africa/Nairobi' }, scope: '*' } as unknown as Ctx
const listText = (size: number) => pageStatement(listQuery(everywhere, lead, { page: 1 }), { page: 1, size }).text
