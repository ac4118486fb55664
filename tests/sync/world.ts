import { randomUUID } from 'node:crypto'
import type { ChangeRecord, PullAnswer, PushAnswer } from '@outpost/contract/sync/protocol'
import { readPullPage, type PullPage } from '@outpost/contract/sync/pull'
import { testApp, type SignedInClient, type TestApp, type TestAppOptions } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'

export interface Device {
  id: string
  client: SignedInClient
  tenantId: string
  /** The next change of the device's log. */
  change(over: Partial<ChangeRecord>): ChangeRecord
  insert(snapshot: object, over?: Partial<ChangeRecord>): ChangeRecord
  update(entityId: string, version: number, patch: ChangeRecord['patch'], over?: Partial<ChangeRecord>): ChangeRecord
  push(changes: unknown[]): Promise<PushAnswer>
  /** All pages after the cursor. */
  pull(cursor?: string): Promise<{ changes: PullAnswer['changes']; cursor: string; reset?: string }>
}

export interface SyncWorld {
  app: TestApp
  company: MadeTenant
  branch: MadeTenant
  sibling: MadeTenant
  device(role?: 'officer' | 'branch', tenant?: MadeTenant): Promise<Device>
}

let phones = 711_000_000
/** A phone number nobody has yet. */
export const newPhone = () => `0${(phones += 1)}`
export const person = (over: object = {}) => ({ firstName: 'Njeri', lastName: 'Mwangi', phonenumber: newPhone(), ...over })

/** A company with two branches, and devices of its people. */
export async function syncWorld(options: TestAppOptions = {}): Promise<SyncWorld> {
  const app = await testApp(options)
  const company = await app.make.company()
  const [branch, sibling] = [await app.make.tenant({ company }), await app.make.tenant({ company })]
  const device = async (role: 'officer' | 'branch' = 'officer', tenant: MadeTenant = branch) =>
    makeDevice(await app.as(await app.make.user({ role, tenant })), tenant.id)
  return { app, company, branch, sibling, device }
}

/** A device of somebody who is signed in. */
export function makeDevice(client: SignedInClient, tenantId: string): Device {
  const id = randomUUID()
  let clientSeq = 0
  const change = (over: Partial<ChangeRecord>): ChangeRecord => ({
    clientSeq: (clientSeq += 1),
    changeId: randomUUID(),
    schema: 1,
    deviceId: id,
    tenantId,
    userId: client.user.id,
    version: 0,
    entityId: randomUUID(),
    entityType: 'lead',
    dateModified: new Date().toISOString(),
    changeType: 'INSERT',
    patch: {},
    deps: [],
    ...over,
  })
  return {
    id,
    client,
    tenantId,
    change,
    insert: (snapshot, over) => change({ snapshot: snapshot as Record<string, unknown>, ...over }),
    update: (entityId, version, patch, over) => change({ changeType: 'UPDATE', entityId, version, patch, ...over }),
    push: async (changes) => {
      const answer = await client.post('/api/sync/push', pushBody({ id }, changes, clientSeq))
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
      return answer.body as unknown as PushAnswer
    },
    pull: async (cursor) => {
      const changes: PullAnswer['changes'] = []
      let [page, reset]: [PullAnswer | undefined, string | undefined] = [undefined, undefined]
      do {
        const from: string | undefined = page?.cursor ?? cursor
        page = readPullPage((await client.get(`/api/sync/pull?limit=500${from ? `&cursor=${from}` : ''}`)).body as unknown as PullPage)
        reset ??= page.reset
        changes.push(...page.changes)
      } while (page.more)
      return { changes, cursor: page.cursor, ...(reset ? { reset } : {}) }
    },
  }
}

/** Invariants I2 and I3: one receipt a number, each number once, every live row's number is in the feed. */
export async function checkStream({ app, company }: SyncWorld): Promise<void> {
  const {
    rows: [found],
  } = await app.database.admin.query(
    `
    select s.seq::int as counter, (select count(*)::int from sync_receipt r where r."companyId" = s."companyId") as receipts,
      (select count(distinct r.seq)::int from sync_receipt r where r."companyId" = s."companyId") as numbers,
      (select coalesce(max(r.seq), 0)::int from sync_receipt r where r."companyId" = s."companyId") as highest,
      (select count(*)::int from lead l where l."companyId" = s."companyId" and l."syncSeq" > 0 and not exists (
        select 1 from sync_feed f where f."companyId" = l."companyId" and f."entityId" = l.id and f."tenantId" = l."tenantId" and f.seq = l."syncSeq")) as adrift
    from sync_stream s where s."companyId" = $1`,
    [company.id],
  )
  const { counter, receipts, numbers, highest, adrift } = found
  if (receipts !== counter || numbers !== counter || highest !== counter || adrift !== 0)
    throw new Error(`the stream is broken: ${JSON.stringify(found)}`)
}

/** What a device sends with its changes. */
export const pushBody = ({ id }: Pick<Device, 'id'>, changes: readonly unknown[], maxClientSeq: number) => ({
  protocol: 1,
  deviceId: id,
  clientNow: new Date().toISOString(),
  pendingCount: changes.length,
  oldestPendingAt: null,
  persisted: true,
  maxClientSeq,
  changes,
})
