import { afterAll, beforeAll, expect, it } from 'vitest'
import { handedColumns } from '../../../apps/server/src/areas/users/open-work.ts'
import { testDatabase, type TestDatabase } from '../../support/db.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const happened = 'says whose doing something was, and stays as it was'
const own = 'belongs to the person, and to nobody after them'
const access = 'lets the person in: it ends with the account, and comes back with it'
const waits = 'is what the machine does for or tells the person'

/** Columns that name a user and are not handed over, each with its reason. A new column belongs here or into handover.ts. */
const stays: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['api_key', 'break_glass', 'credential', 'ip_rule', 'one_time_token', 'passkey', 'password_history', 'recovery_code', 'saml_identity']
      .concat(['second_factor', 'session', 'user_device', 'user_permission', 'user_role', 'user_tenant'])
      .map((table) => [`${table}.userId`, access]),
  ),
  ...Object.fromEntries(
    ['activity_gift', 'audit_log', 'complaint_message', 'error_log', 'lead_assignment', 'login_event', 'record_comment', 'record_file']
      .concat(['record_move', 'sync_conflict', 'sync_dead_letter', 'sync_receipt', 'task_gift', 'user_position'])
      .map((table) => [`${table}.userId`, happened]),
  ),
  ...Object.fromEntries(
    ['calendar_feed', 'company_phone', 'notification_preference', 'onboarding_draft', 'provider_connection', 'push_device']
      .concat(['saved_view', 'saved_view_share', 'sync_device', 'tracking_consent', 'upload_portion'])
      .map((table) => [`${table}.userId`, own]),
  ),
  ...Object.fromEntries(['import_run', 'notification', 'outbox', 'report_run'].map((table) => [`${table}.userId`, waits])),
  'complaint.accusedUserId': 'whom a complaint is about, who does not handle it',
  'client_message.hiddenFromUserId': 'whom a letter is hidden from, because it is about them',
  'lead_assignment.formerUserId': happened,
  'record_transfer.fromUserId': happened,
  'record_transfer.toUserId': happened,
  'task_gift.formerUserIds': happened,
  'user_handover.fromUserId': happened,
  'user_handover.toUserId': happened,
  'geo.command.approvedUserId': happened,
  'assignment_rule.candidateUserIds': 'a rule passes over who is not active, and means them again once they are back',
  'assignment_rule.lastUserId': 'where the round of a rule stands',
  'geo.device.userId': 'who carries the device: it is given to somebody in the hand, not in a list',
  'geo.driver.userId': 'who a driver is, as a card or key in the vehicle says it',
  'phone_book_entry.ownerUserId': own,
  'target.ownerUserId': 'a target is measured on what its person reached; nobody inherits somebody else’s number',
  'team_member.userId': 'who was in a team from when to when; places in it are filled by its leader',
  'webhook.ownerUserId': 'it speaks with the rights of its owner: who takes it over says so by saving it',
}

/** Whoever did something once, in words: created, decided, removed by. */
const didIt = /\.(\w*[bB]y(Real)?UserId|createdUserId|realUserId|actorUserId)$/

/** Every column that names a user, or several. */
async function columnsOfUsers(): Promise<string[]> {
  const { rows } = await database.admin.query<{ name: string }>(`
    select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
      join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not in ('pg_catalog', 'information_schema') and not a.attisdropped and a.attname ~ '[uU]serIds?$' order by 1`)
  return rows.map(({ name }) => name)
}

it('every column that names a user is handed over, says who did something, or stays for a reason', async () => {
  const columns = await columnsOfUsers()
  const settled = (name: string) => handedColumns.includes(name) || name in stays || didIt.test(name)
  expect(columns.filter((name) => !settled(name))).toEqual([])
  expect(Object.keys(stays).filter((name) => !columns.includes(name) || handedColumns.includes(name))).toEqual([])
  expect(handedColumns.filter((name) => !columns.includes(name))).toEqual([])
})

it('a new column of that kind is noticed', async () => {
  await database.admin.query('alter table lead_address add column "keeperUserId" uuid')
  expect(await columnsOfUsers()).toContain('lead_address.keeperUserId')
  expect(didIt.test('lead_address.keeperUserId')).toBe(false)
})
