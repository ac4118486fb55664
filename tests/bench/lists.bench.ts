import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { median, rounded, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { load, type Call } from './support/load.ts'
import { companyId } from './support/rows.ts'

const rounds = 3

/** The leads list through session, permission and row-level security, against the barest server and against psql. */
export const bench: Bench = {
  name: 'lists',
  leads: 200_000,
  run: async (house) => {
    const headers = await house.signIn('md@sunrise.test')
    const columns = await columnsOf(house, headers)
    return [await newest25(house, headers, columns), await tenThousand(house, headers, columns)]
  },
}

async function newest25(house: House, headers: Record<string, string>, columns: string): Promise<Figure> {
  const peer = await house.startPeer('bare', { BARE_DATABASE_URL: house.databaseUrl, BARE_TEXT: listText(columns, 25), BARE_COMPANY: companyId })
  try {
    const ours: Call = { url: `${house.url}/api/leads?page=1&size=25`, headers }
    const bare: Call = { url: `${peer.url}/leads` }
    const rates: { ours: number[], bare: number[] } = { ours: [], bare: [] }
    for (const call of [ours, bare]) await load({ call, seconds: 1.5 })
    for (let round = 0; round < rounds; round += 1) {
      rates.bare.push((await load({ call: bare, seconds: 3 })).perSecond)
      rates.ours.push((await load({ call: ours, seconds: 3 })).perSecond)
    }
    const [own, other] = [median(rates.ours), median(rates.bare)]
    return { name: 'list of 25, 8 callers: ours / bare Fastify + pg', value: rounded(own / other), unit: 'x', target: '>= 0.6', detail: `${Math.round(own)} / ${Math.round(other)} calls a second` }
  } finally {
    await peer.stop()
  }
}

async function tenThousand(house: House, headers: Record<string, string>, columns: string): Promise<Figure> {
  const path = '/api/leads?page=1&size=10000'
  const ours: number[] = []
  const psql: number[] = []
  for (let round = 0; round < 7; round += 1) {
    psql.push(await psqlTime(house, listText(columns, 10_000).replace('$1', `'${companyId}'`)))
    ours.push((await house.call({ path, headers })).ms)
  }
  const [own, other] = [median(ours), median(psql)]
  return { name: '10,000 rows: ours / psql', value: rounded(own / other), unit: 'x', target: '<= 1.5', detail: `${Math.round(own)} / ${Math.round(other)} ms` }
}

/** Time of the statement as psql tells it; without psql, of the same text through pg. */
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

/** The columns of the table that our own answer carries, so that both sides send the same bytes. */
async function columnsOf(house: House, headers: Record<string, string>): Promise<string> {
  const { text } = await house.call({ path: '/api/leads?page=1&size=1', headers })
  const [first] = (JSON.parse(text) as { data: { leads: object[] } }).data.leads
  const { rows } = await house.admin.query<{ name: string }>(`select column_name as name from information_schema.columns where table_name = 'lead'`)
  const known = new Set(rows.map(({ name }) => name))
  return Object.keys(first ?? {}).map((key) => (key === 'Id' ? '"id" as "Id"' : `"${key}"`)).filter((key) => known.has(key.replace(/"| as "Id"/g, '')) || key.includes('"Id"')).join(', ')
}

const listText = (columns: string, size: number) =>
  `select coalesce(json_agg(r), '[]')::text as text from (select ${columns} from lead where "companyId" = $1 and "deletedAt" is null order by "dateCreated" desc, "id" limit ${size}) r`
