import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { lead } from '../../apps/server/src/areas/leads/index.ts'
import { createRecord, removeRecords, updateRecord } from '../../apps/server/src/kernel/resource/records.ts'
import { makeJobCtx } from '../../apps/server/src/kernel/session/jobs.ts'
import { withStream } from '../../apps/server/src/kernel/sync/stream.ts'
import { readPullPage, type PullPage } from '@outpost/contract/sync/pull'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { isNightly } from '../support/size.ts'
import { checkStream, person, syncWorld, type SyncWorld } from './world.ts'

const runs = isNightly ? 200 : 6
let world: SyncWorld
let tenants: MadeTenant[]
let program: Ctx
/** Reads the branch alone, both branches, and the whole company. */
let readers: { client: SignedInClient; reach: readonly string[] }[]

beforeAll(async () => {
  world = await syncWorld()
  const { app, company, branch, sibling } = world
  const team = await app.make.tenant({ parent: branch })
  const region = await app.make.tenant({ company })
  const [east, west] = [await app.make.tenant({ parent: region }), await app.make.tenant({ parent: region })]
  tenants = [branch, sibling, team, east, west]
  program = await makeJobCtx(app.services, { companyId: company.id, userId: null })
  const reader = async (role: 'branch' | 'regional' | 'md', tenant: MadeTenant, reach: MadeTenant[]) => ({
    client: await app.as(await app.make.user({ role, tenant })),
    reach: reach.map(({ id }) => id),
  })
  readers = [
    await reader('branch', branch, [branch, team]),
    await reader('regional', region, [region, east, west]),
    await reader('md', company, tenants),
  ]
})
afterAll(async () => {
  await checkStream(world)
  await world.app.close()
})

/** What a device holds after pages of this size: the last word on each record counts. */
async function pullAll(
  client: SignedInClient,
  held: Map<string, number>,
  { cursor, size }: { cursor?: string; size: number },
): Promise<string> {
  for (let at = cursor; ;) {
    const page = readPullPage((await client.get(`/api/sync/pull?limit=${size}${at ? `&cursor=${at}` : ''}`)).body as unknown as PullPage)
    if (page.reset) throw new Error(`reset: ${page.reset}`)
    for (const { t, id, op, version } of page.changes) {
      if (t !== 'lead') continue
      if (op === 'gone') held.delete(id)
      else held.set(id, version)
    }
    if (!page.more) return page.cursor
    if (page.cursor === at) throw new Error('the same page again')
    at = page.cursor
  }
}

/** Lays the feed down in the worse order of rows under one number: which one Postgres finds first is otherwise its own affair. */
async function turnFeed(): Promise<void> {
  await world.app.database.admin.query(`begin; create temp table turned on commit drop as select * from sync_feed;
    delete from sync_feed; insert into sync_feed select * from turned order by "seq", "op" desc; commit`)
}

async function truth(reach: readonly string[]): Promise<[string, number][]> {
  const { rows } = await world.app.database.admin.query<{ id: string; version: number }>(
    'select id, version::int from lead where "companyId" = $1 and "tenantId" = any($2) and "deletedAt" is null order by id',
    [world.company.id, reach],
  )
  return rows.map(({ id, version }) => [id, version])
}

const act = fc.record({
  kind: fc.constantFrom('create', 'move', 'move', 'move', 'edit', 'remove', 'pull'),
  which: fc.nat(9),
  to: fc.nat(4),
})
type Act = { kind: string; which: number; to: number }

async function doIt({ kind, which, to }: Act, ids: string[]): Promise<void> {
  const tenantId = tenants[to]?.id
  const id = ids[which % Math.max(1, ids.length)]
  await withStream(program, async (ctx) => {
    if (kind === 'create') ids.push(String((await createRecord(ctx, lead, { ...person(), tenantId })).Id))
    else if (id === undefined) return
    else if (kind === 'move') await updateRecord(ctx, lead, id, { tenantId })
    else if (kind === 'edit') await updateRecord(ctx, lead, id, { city: `Town ${to}` })
    else if (kind === 'remove') {
      await removeRecords(ctx, lead, [id])
      ids.splice(ids.indexOf(id), 1)
    }
  })
}

it('full and partial pulls hold exactly the live records of the reach, whatever moved in between and however small the pages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 24 }), fc.constantFrom(1, 2, 3, 7, 500), async (acts, size) => {
      const ids: string[] = []
      for (let n = 0; n < 4; n += 1) await doIt({ kind: 'create', which: 0, to: n }, ids)
      const followers = readers.map((reader) => ({ ...reader, held: new Map<string, number>(), cursor: undefined as string | undefined }))
      for (const one of acts) {
        if (one.kind === 'pull') await turnFeed()
        if (one.kind !== 'pull') await doIt(one, ids)
        else
          for (const follower of followers)
            follower.cursor = await pullAll(follower.client, follower.held, {
              size,
              ...(follower.cursor ? { cursor: follower.cursor } : {}),
            })
      }
      await turnFeed()
      for (const { client, reach, held, cursor } of followers) {
        const fresh = new Map<string, number>()
        await pullAll(client, fresh, { size })
        await pullAll(client, held, { size, ...(cursor ? { cursor } : {}) })
        const expected = await truth(reach)
        expect([...fresh].toSorted()).toEqual(expected)
        expect([...held].toSorted()).toEqual(expected)
      }
      // The next run begins with few records again.
      if (ids.length > 0) await withStream(program, (ctx) => removeRecords(ctx, lead, ids))
    }),
    { numRuns: runs },
  )
})
