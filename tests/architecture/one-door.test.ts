import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createAreas } from '../../apps/server/src/areas/index.ts'

const folder = resolve(import.meta.dirname, '../../apps/server/src')
const areas = createAreas({ mail: {}, files: {}, env: {} } as never)
const tables = new Set(areas.flatMap(({ resources }) => resources.map(({ table }) => table)))
/** The statements of the pipeline, and the only file that may send them. */
const [statements, pipeline] = ['kernel/resource/write.ts', 'kernel/resource/pipeline.ts']
/** Lines are rows of a resource too; the pipeline writes them with their record. */
const lines = 'kernel/relations/write-lines.ts'

/** What writes rows of a resource beside writeRecords, by the reason. `?` is a table that is named at run time. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'saved views are no records of a resource; quiet tables are written through Prisma, and audited beside it': [
    'areas/roles/role.handlers.ts: db.savedView.deleteMany(',
    'areas/views/view.handlers.ts: db.savedView.create(',
    'areas/views/view.handlers.ts: db.savedView.deleteMany(',
    'areas/views/view.handlers.ts: db.savedView.update(',
  ],
  'the very parts that agents had before an activity was given away: with the status and place of each, audited as the relation': [
    'areas/activities/agents/activity.assign-many.ts: delete from activity_assignment',
    'areas/activities/agents/activity.assign-many.ts: insert into activity_assignment',
  ],
  'lines of a statement: what a file said and what booking does with each, thousands at once, under the audited statement; people only read them':
    [
      'areas/statements/statement.handlers.ts: insert into money_statement_line',
      'areas/statements/statement.handlers.ts: update money_statement_line',
    ],
  'occurrences of a series: made with one statement that skips those there are, audited as the series’ act': [
    'areas/activities/series/activity.series.ts: insert into activity',
    'areas/activities/series/activity.series.ts: insert into activity_assignment',
    'areas/activities/series/activity.series.ts: update activity',
    'areas/activities/series/activity.change.ts: update activity',
  ],
  'pairs of a record with stored files, which are no resource: the call that changes them audits it as its own act': [
    'kernel/keeps/file-pairs.ts: insert into ?',
    'kernel/keeps/file-pairs.ts: update ?',
  ],
  'a merge of two who are one: its facts pass the rules of a status by, its belongings are pointed to the other in sets; audited and kept for undoing as one act':
    [
      'kernel/merging/belongings.ts: delete from ?',
      'kernel/merging/belongings.ts: insert into ?',
      'kernel/merging/belongings.ts: update ?',
      'kernel/merging/merging.ts: insert into ?',
      'kernel/merging/merging.ts: update ?',
    ],
  'what belongs to a loan is filed where the loan goes; the transfer itself goes through the pipeline and is audited': [
    'areas/transfers/transfers.ts: update ?',
  ],
  'there is one default among the options: the others of the tenant give the mark up': [
    'kernel/relations/own-options.ts: update ?',
    'areas/pipelines/pipeline.rules.ts: update pipeline',
    'areas/pipelines/pipeline.handlers.ts: update pipeline',
  ],
  'what devices report, what became of their changes, and jobs: written by the exchange and the queue themselves, read by the office': [
    'areas/jobs/jobs.area.ts: update outbox',
    'areas/sync/replay.ts: delete from sync_dead_letter',
    'areas/sync/replay.ts: update sync_dead_letter',
    'areas/sync/sign-out.ts: update sync_device',
    'areas/sync/sync.handlers.ts: insert into sync_dead_letter',
    'areas/sync/sync.handlers.ts: update sync_conflict',
    'areas/sync/sync.handlers.ts: update sync_dead_letter',
    'kernel/sync/devices.ts: insert into sync_device',
    'kernel/sync/devices.ts: update sync_device',
    'kernel/sync/rows.ts: insert into sync_conflict',
    'kernel/sync/rows.ts: insert into sync_dead_letter',
    'kernel/sync/stream.ts: insert into sync_receipt',
  ],
  'the answer of one person, which only they may give': ['areas/agents/consent/consent.handlers.ts: insert into tracking_consent'],
  'append-only rows that nobody changes: logs, tracking, results of sums': [
    'areas/activities/agents/activity.fix.ts: insert into error_log',
    'areas/config/error-log.ts: insert into error_log',
    'areas/agents/action.handlers.ts: insert into agent_action',
    'areas/agents/end-of-day.job.ts: insert into agent_action',
    'areas/audit/audit.area.ts: insert into audit_check',
    'areas/calculators/rule-sets.ts: insert into rule_set',
    'areas/leads/credit/lead.affordability.ts: insert into affordability_run',
  ],
  'marks of the machine that are no fields: last seen, confirmed address, chosen tenant, tours, preferences of the console, whose turn it is, who is invited':
    [
      'areas/auth/password/password.handlers.ts: update app_user',
      'areas/auth/client-secret.ts: update oauth_client',
      'areas/auth/credentials.ts: update app_user',
      'areas/saml/acs.handlers.ts: update saml_provider',
      'areas/saml/provider.ts: update saml_provider',
      'areas/users/invitations.ts: update app_user',
      'areas/auth/session.handlers.ts: update app_user',
      'areas/users/me.ts: update app_user',
      'areas/users/picture.ts: update app_user',
      'areas/users/preferences.ts: update app_user',
      'kernel/session/tokens/refresh.ts: update app_user',
      'kernel/session/sessions.ts: update app_user',
      'areas/leads/assigning/assignment.ts: update assignment_rule',
    ],
  'what a webhook is while it sends: its secret, whether it sends, since when it fails; audited as acts of their own': [
    'areas/webhooks/settle.ts: update webhook',
    'areas/webhooks/stop.ts: update webhook',
    'areas/webhooks/webhook.handlers.ts: update webhook',
  ],
  'the secret of a program that signs people in, which nobody sends; audited as an act of its own': [
    'areas/oauth-clients/oauth-client.handlers.ts: update oauth_client',
  ],
  'what a company begins with, before there is anybody who could write it': [
    'areas/roles/seed.ts: insert into role',
    'areas/tenants/company.ts: insert into tenant',
    'areas/tenants/company.ts: insert into activity_type',
    'areas/tenants/company.ts: insert into activity_status',
    'areas/pipelines/defaults.ts: insert into pipeline',
    'areas/pipelines/stages.ts: insert into pipeline_stage',
  ],
  'entries of the ledger and their accounts: added in sets by post() and reverse() alone, and never changed': [
    'areas/ledger/chart.ts: insert into ledger_account',
    'areas/ledger/post.ts: insert into ledger_entry',
    'areas/ledger/post.ts: insert into ledger_line',
  ],
  'what was booked as earned, and the loan that money in suspense is given to: derived, in sets, each with its entry in the ledger': [
    'areas/loans/settling/loan.accrue.ts: update loan',
    'areas/loans/payments/payment.moves.ts: update payment',
  ],
  'sessions of USSD and the numbers that dial: written hop by hop by the gateway itself, read by the office; the menu in force gives way to the one that is published':
    [
      'areas/ussd/menu.resource.ts: update ussd_menu',
      'areas/ussd/sessions.ts: insert into ussd_number',
      'areas/ussd/sessions.ts: insert into ussd_session',
      'areas/ussd/sessions.ts: update ussd_session',
    ],
  'keys of providers, which the kernel makes and ends; audited as acts of their own': [
    'kernel/providers/connection.ts: insert into provider_connection',
    'kernel/providers/connection.ts: update provider_connection',
  ],
  'the paths of all tenants below one that moves: derived, in one statement': ['areas/tenants/tenant.rules.ts: update tenant'],
  'users come back active, as a part of their restoring': [
    'areas/users/user.handlers.ts: update app_user',
    'areas/api-users/api-user.handlers.ts: update app_user',
  ],
  'pairs that a resource declares (through): the pipeline writes them with their record': [
    'kernel/relations/write-pairs.ts: delete from ?',
    'kernel/relations/write-pairs.ts: insert into ?',
    'kernel/relations/write-pairs.ts: update ?',
    'kernel/relations/follow-tenant.ts: update ?',
  ],
  'a link for people outside is marked as used, in the transaction of what it was for': ['kernel/public/link.ts: update ?'],
  'records sent to the devices once more, as they are': ['kernel/sync/relabel.ts: update ?'],
}

/** `verb table` of each statement that writes one of the tables or one named at run time, and calls of Prisma that write. */
function writesOf(text: string): string[] {
  const named = String.raw`(?:public\.)?(\$\{[^}]+\}|"?\w+"?)`
  const patterns = [
    new RegExp(String.raw`\b(insert into)\s+${named}\s*(?:\(|select\b|values\b)`, 'g'),
    new RegExp(String.raw`\b(update)\s+${named}\s+(?:as\s+)?(?:\w+\s+)?set\b`, 'g'),
    new RegExp(String.raw`\b(delete from)\s+${named}`, 'g'),
  ]
  const found = patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, verb, table = '']) => [verb, table.startsWith('$') ? '?' : table.replaceAll('"', '')] as const)
  const prisma = [...text.matchAll(/\bdb\.\w+\.(?:create|update|delete|upsert)\w*\(/g)].map(([call]) => call)
  return [
    ...new Set([...found.filter(([, table]) => table === '?' || tables.has(table)).map(([verb, table]) => `${verb} ${table}`), ...prisma]),
  ]
}

const sources = () =>
  globSync('**/*.ts', { cwd: folder })
    .filter((path) => !path.includes('.test') && path !== statements)
    .map((path) => ({ path, text: readFileSync(resolve(folder, path), 'utf8') }))

test('a row of a resource is written by the pipeline, but for what is named with its reason', () => {
  expect(tables.size).toBeGreaterThan(20)
  const found = sources().flatMap(({ path, text }) => writesOf(text).map((write) => `${path}: ${write}`))
  expect(found.toSorted()).toEqual(Object.values(exceptions).flat().toSorted())
})

/**
 * The demo is history: thousands of records with days, makers, states and decisions of their own, of weeks ago, which no door takes. They are
 * put in as sets, as datafix, into an empty database, before there is anybody who could write them.
 */
const demo = [
  'company.ts: update ?',
  'messages.ts: insert into client_message',
  'rows.ts: insert into ?',
  'sheets.ts: insert into collection_line',
  'sheets.ts: insert into collection_sheet',
]

test('the demo puts its history in as sets, at the places named here', () => {
  const seed = resolve(import.meta.dirname, '../../prisma/seed')
  const found = globSync('**/*.ts', { cwd: seed }).flatMap((path) =>
    writesOf(readFileSync(resolve(seed, path), 'utf8')).map((write) => `${path}: ${write}`),
  )
  expect(found.toSorted()).toEqual(demo)
})

test('nobody else sends the pipeline’s statements', () => {
  const senders = sources()
    .filter(({ text }) => /\b(insertRows|updateRows|deleteRows)\b/.test(text))
    .map(({ path }) => path)
  expect(senders).toEqual([pipeline, lines])
})

test('sees a planted write of each kind, and no words that only sound like one', () => {
  const text = `sql\`insert into lead ("id") values (1)\`; sql\`update public."lead" l set "a" = 1\`; sql\`delete from lead\`; sql\`update \${identifier(table)} set a = 1\`
    db.lead.updateMany({}); fail('the lead could not update lead settings'); sql\`update session set "a" = 1\``
  expect(writesOf(text)).toEqual(['insert into lead', 'update lead', 'update ?', 'delete from lead', 'db.lead.updateMany('])
})
