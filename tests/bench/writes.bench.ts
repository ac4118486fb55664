import { demoId } from '../../prisma/seed/random.ts'
import { lead } from '../../apps/server/src/areas/leads/lead.resource.ts'
import '../../apps/server/src/areas/index.ts'
import { writeRecords } from '../../apps/server/src/kernel/resource/pipeline.ts'
import { checkInput, writeSchemas } from '../../apps/server/src/kernel/resource/schema.ts'
import type { Change } from '../../apps/server/src/kernel/resource/writing.ts'
import { makeCtx } from '../../apps/server/src/kernel/session/ctx.ts'
import { newProgram } from '../../apps/server/src/kernel/session/program.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { createLog } from '@outpost/platform/log'
import { createPools } from '@outpost/platform/db/pool'
import { interleaved, median, percentile, ratios, rounded, rounds, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { pusher } from './support/push.ts'
import { companyId } from './support/rows.ts'

const [singles, bulk, imported, portion] = [60, 500, 10_000, 1_000]

/**
 * What writing costs at each door. With BENCH_AGAINST=<another checkout> the same calls go to a server of that code in turn,
 * on the same database, and each figure is given as ours over theirs.
 */
export const bench: Bench = {
  name: 'writes',
  leads: 50_000,
  run: async (house) => {
    const headers = await house.signIn('md@sunrise.test')
    const officer = await house.signIn('officer@sunrise.test')
    const against = process.env.BENCH_AGAINST
    const other = against ? await house.startServer(against) : undefined
    try {
      const doors = (url: string) => doorsOf(house, { url, headers, push: pusher(house, officer, url) })
      const figures = await compare(doors(house.url), other && doors(other.url))
      return [...figures, ...(await importFigures(house))]
    } finally {
      await other?.stop()
    }
  },
}

type Doors = Readonly<Record<string, () => Promise<number>>>

/** Milliseconds a call of each door (a whole set of 500 for the last ones). */
async function compare(ours: Doors, theirs: Doors | undefined): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, run] of Object.entries(ours)) {
    const other = theirs?.[name]
    const times: Record<string, number[]> = other ? await interleaved({ theirs: other, ours: run }) : await interleaved({ ours: run })
    const [own = [], their = []] = [times['ours'], times['theirs']]
    const all = ratios(own, their)
    figures.push({
      name,
      value: rounded(median(own)),
      unit: 'ms',
      detail: other
        ? `${rounded(median(all))} x of the other checkout (${spread(all, ' x')}; ${rounded(median(their))} ms)`
        : spread(own, ' ms'),
    })
  }
  return figures
}

let phone = 50_000_000
const person = () => ({
  firstName: 'Achieng',
  lastName: 'Odhiambo',
  phonenumber: `07${String((phone += 1))}`,
  emailAddress: `writes${phone}@mail.test`,
  city: 'Kisumu',
})

interface Caller {
  url: string
  headers: Record<string, string>
  push(): Promise<number>
}

function doorsOf(house: House, { url, headers, push }: Caller): Doors {
  const send = async (method: string, path: string, body: object) => {
    const { status, text, ms } = await house.call({ url, path, method, headers, body: JSON.stringify(body) })
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
    return { ms, data: (JSON.parse(text) as { data: { lead: { Id: string } } }).data }
  }
  const each = async (run: () => Promise<number>) => {
    const times: number[] = []
    for (let index = 0; index < singles; index += 1) times.push(await run())
    return percentile(times, 0.5)
  }
  const create = () => send('POST', '/api/leads', person())
  const ids: string[] = []
  return {
    'create of a lead': () => each(async () => (await create()).ms),
    'update of a lead': async () => {
      const {
        data: {
          lead: { Id },
        },
      } = await create()
      return each(async () => (await send('PUT', `/api/leads/${Id}`, { city: `Town ${(phone += 1)}` })).ms)
    },
    'delete and restore of 500 leads': async () => {
      while (ids.length < bulk) ids.push((await create()).data.lead.Id)
      return (await send('POST', '/api/leads/delete', { ids })).ms + (await send('POST', '/api/leads/restore', { ids })).ms
    },
    'push of 500 new leads': async () => (1000 * bulk) / (await push()),
  }
}

/** 10,000 rows through the form's schema, the references, the duplicate rule, the feed and an audit row each; a verdict a row. */
async function importFigures(house: House): Promise<Figure[]> {
  const pools = createPools({ url: house.databaseUrl, secret: house.secret, size: 2 })
  try {
    const ctx = importer(pools)
    const rates: number[] = []
    for (let round = 0; round < rounds; round += 1) rates.push(await importRate(ctx))
    return [
      {
        name: 'import of 10,000 leads',
        value: Math.round(median(rates)),
        unit: 'rows/s',
        target: '>= 2000',
        detail: `${spread(rates)}; portions of ${portion}, audit, references and duplicates included`,
      },
    ]
  } finally {
    await pools.close()
  }
}

async function importRate(ctx: Ctx): Promise<number> {
  const begun = performance.now()
  for (let from = 0; from < imported; from += portion) {
    const changes = Array.from({ length: portion }, (): Change => ({
      kind: 'create',
      input: { ...checkInput(writeSchemas(lead).create, person()), assignedUserId: ctx.user.id },
    }))
    const verdicts = await writeRecords(ctx, lead, changes, { source: 'import', onRefusal: 'report' })
    const refused = verdicts.find(({ failure }) => failure)
    if (refused) throw refused.failure
  }
  return (imported * 1000) / (performance.now() - begun)
}

function importer(pools: ReturnType<typeof createPools>): Ctx {
  const tenant = {
    id: demoId('NBO-W'),
    companyId,
    parentId: companyId,
    name: 'West',
    shortCode: 'NBO-W',
    type: 3,
    path: [companyId, demoId('NBO-W')],
    locationRequired: false,
  }
  const person = {
    id: demoId('sunrise md'),
    companyId,
    firstName: 'M',
    lastName: 'D',
    userName: 'md',
    emailAddress: 'md@sunrise.test',
    status: 1,
    deletedAt: null,
    isProgram: false,
    tours: {},
    preferences: {},
    pictureId: null,
    selectedTenantId: null,
  }
  const identity = {
    person,
    session: null,
    actor: null,
    roles: [],
    ownPermissions: [],
    rolePermissions: [],
    permissions: new Set<never>(),
    isGlobalAdministrator: false,
    mustChangePassword: false,
    assigned: [tenant],
    selected: tenant,
    tenant,
    scope: '*' as const,
    ranges: null,
    company: { id: companyId, name: 'Sunrise', country: 'KE', currency: 'KES', timeZone: 'Africa/Nairobi' },
  }
  return makeCtx({ pools, identity, log: createLog({ level: 'error' }), program: newProgram() })
}
