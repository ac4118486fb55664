import { defaultStages, type PipelineEntity } from '@outpost/rules/leads/pipeline-stages'
import { periodAround, type PeriodKind } from '@outpost/rules/targets/target-period'
import { dayOf } from '@outpost/rules/calendar/working-days'
import { iso, nameOf, type LeadsOf } from './leads.ts'
import type { DemoUser } from './people.ts'
import { createRandom, demoId, type Random } from './random.ts'
import type { DemoCompany } from './tree.ts'

const day = 86_400_000
interface Given {
  company: DemoCompany
  users: DemoUser[]
  leadCount: number
  leadsOf: LeadsOf
  now: number
}
type Tables = [table: string, rows: object[]][]

/** Teams with their history, targets of the running periods, the working calendar, pipelines and cases of a company. */
export function companyTeams(given: Given): Tables {
  const random = createRandom(`teams ${given.company.key}`)
  return [
    ...teamRows(given),
    ...calendarRows(given),
    ['target', targetRows(given, random)],
    ...pipelineRows(given),
    ...caseRows(given, random),
  ]
}

const companyIdOf = ({ key }: DemoCompany) => demoId(key)
const teamId = (code: string) => demoId(`team ${code}`)
const membersOf = (users: readonly DemoUser[], code: string) =>
  users.filter(({ role, tenantIds }) => role === 'officer' && tenantIds.includes(demoId(code)))

/** Each team of the tree is a team; the first officer of the second one came over from the first three weeks ago. */
function teamRows({ company, users, now }: Given): Tables {
  const companyId = companyIdOf(company)
  const teams = company.branches.flatMap((branch) => branch.teams)
  const leader = (code: string) =>
    users.find(({ role, tenantIds }) => role === 'leader' && tenantIds.includes(demoId(code)))?.id ?? membersOf(users, code)[0]?.id ?? null
  const admin = users.find(({ role }) => role === 'admin')?.id ?? ''
  const stay = (code: string, user: DemoUser, from: number, to: number | null = null) => ({
    companyId,
    id: demoId(`stay ${code} ${user.id} ${to === null ? 'now' : 'past'}`),
    tenantId: demoId(code),
    teamId: teamId(code),
    userId: user.id,
    fromDate: iso(from),
    toDate: to === null ? null : iso(to),
    addedByUserId: admin,
  })
  const [first, second] = teams
  const moved = second && membersOf(users, second.code)[0]
  const change = now - 21 * day
  const stays = teams.flatMap(({ code }) =>
    membersOf(users, code).map((user) => stay(code, user, user === moved ? change : now - 120 * day)),
  )
  const past = first && moved ? [stay(first.code, moved, now - 120 * day, change)] : []
  return [
    [
      'team',
      teams.map(({ code, name }) => ({
        companyId,
        id: teamId(code),
        tenantId: demoId(code),
        teamTenantId: demoId(code),
        name,
        description: null,
        leaderUserId: leader(code),
        dateCreated: iso(now - 120 * day),
      })),
    ],
    ['team_member', [...stays, ...past]],
  ]
}

/** Public holidays that fall on the same day every year. */
const holidays: Record<DemoCompany['country'], readonly (readonly [date: string, name: string])[]> = {
  KE: [
    ['01-01', 'New Year’s Day'],
    ['05-01', 'Labour Day'],
    ['06-01', 'Madaraka Day'],
    ['10-10', 'Mazingira Day'],
    ['10-20', 'Mashujaa Day'],
    ['12-12', 'Jamhuri Day'],
    ['12-25', 'Christmas Day'],
    ['12-26', 'Boxing Day'],
  ],
  ZA: [
    ['01-01', 'New Year’s Day'],
    ['03-21', 'Human Rights Day'],
    ['04-27', 'Freedom Day'],
    ['05-01', 'Workers’ Day'],
    ['06-16', 'Youth Day'],
    ['08-09', 'National Women’s Day'],
    ['09-24', 'Heritage Day'],
    ['12-16', 'Day of Reconciliation'],
    ['12-25', 'Christmas Day'],
    ['12-26', 'Day of Goodwill'],
  ],
  ZM: [
    ['01-01', 'New Year’s Day'],
    ['03-08', 'Women’s Day'],
    ['03-12', 'Youth Day'],
    ['05-01', 'Labour Day'],
    ['05-25', 'Africa Freedom Day'],
    ['10-24', 'Independence Day'],
    ['12-25', 'Christmas Day'],
  ],
}

function calendarRows({ company, now }: Given): Tables {
  const companyId = companyIdOf(company)
  const year = new Date(now).getUTCFullYear()
  const days = [year, year + 1].flatMap((one) =>
    holidays[company.country].map(([date, name]) => ({
      companyId,
      id: demoId(`holiday ${company.key} ${one} ${date}`),
      tenantId: companyId,
      country: company.country,
      date: `${one}-${date}`,
      name,
    })),
  )
  const calendarId = demoId(`working calendar ${company.key}`)
  const hours = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((weekday, position) => ({
    companyId,
    id: demoId(`working hours ${company.key}`, position),
    calendarId,
    position,
    weekday,
    startsAt: '08:00',
    endsAt: weekday === 'Saturday' ? '13:00' : '17:00',
  }))
  return [
    ['working_calendar', [{ companyId, id: calendarId, tenantId: companyId }]],
    ['working_hours', hours],
    ['holiday', days],
  ]
}

interface Wish {
  owner: { type: 'user' | 'team' | 'tenant'; id: string }
  tenantId: string
  metric: string
  kind: PeriodKind
  value: number
}

function targetRows(given: Given, random: Random): object[] {
  const { company, users, now } = given
  const companyId = companyIdOf(company)
  const admin = users.find(({ role }) => role === 'sales')?.id ?? ''
  return wishes(given, random).map(({ owner, tenantId, metric, kind, value }) => {
    const period = periodAround(kind, dayOf(now)) ?? { startDate: dayOf(now), endDate: dayOf(now) }
    return {
      companyId,
      id: demoId(`target ${owner.id} ${metric} ${kind}`),
      tenantId,
      metric,
      ownerType: owner.type,
      ownerUserId: owner.type === 'user' ? owner.id : null,
      ownerTeamId: owner.type === 'team' ? owner.id : null,
      ownerTenantId: owner.type === 'tenant' ? owner.id : null,
      periodKind: kind,
      ...period,
      product: null,
      value,
      createdByUserId: admin,
      dateCreated: iso(now - 20 * day),
      dateModified: iso(now - 20 * day),
    }
  })
}

/** About what the demo's officers do in a month, a little more or less. */
function wishes({ company, users, leadCount }: Given, random: Random): Wish[] {
  const companyId = companyIdOf(company)
  const officers = users.filter(({ role }) => role === 'officer')
  const leads = Math.max(4, Math.round(leadCount / 2 / officers.length))
  const about = (amount: number) => Math.max(1, Math.round((amount * random.int(80, 125)) / 100 / 5) * 5)
  const people = officers.flatMap(({ id, tenantIds: [tenantId = ''] }): Wish[] => [
    { owner: { type: 'user', id }, tenantId, metric: 'leads.created', kind: 'month', value: about(leads) },
    { owner: { type: 'user', id }, tenantId, metric: 'visits.done', kind: 'month', value: about(leads * 2.4) },
    { owner: { type: 'user', id }, tenantId, metric: 'consents.granted', kind: 'week', value: about(leads / 10) },
  ])
  const groups = company.branches.flatMap((branch) => [
    { owner: { type: 'tenant' as const, id: demoId(branch.code) }, tenantId: demoId(branch.code), size: branch.teams.length * 2 },
    ...branch.teams.map(({ code }) => ({
      owner: { type: 'team' as const, id: teamId(code) },
      tenantId: demoId(code),
      size: membersOf(users, code).length,
    })),
  ])
  const shared = groups.flatMap(({ owner, tenantId, size }): Wish[] => [
    { owner, tenantId, metric: 'leads.created', kind: 'month', value: about(leads * size) },
    { owner, tenantId, metric: 'leads.converted', kind: 'quarter', value: about((leads * size) / 8) },
  ])
  const whole: Wish[] = [
    { owner: { type: 'tenant', id: companyId }, tenantId: companyId, metric: 'leads.created', kind: 'month', value: about(leadCount / 2) },
    {
      owner: { type: 'tenant', id: companyId },
      tenantId: companyId,
      metric: 'leads.converted',
      kind: 'quarter',
      value: about(leadCount / 16),
    },
    { owner: { type: 'tenant', id: companyId }, tenantId: companyId, metric: 'visits.missed', kind: 'month', value: about(leadCount / 5) },
  ]
  return [...whole, ...shared, ...people]
}

const stageId = (company: DemoCompany, entity: PipelineEntity, name: string) => demoId(`stage ${company.key} ${entity} ${name}`)

function pipelineRows({ company, now }: Given): Tables {
  const companyId = companyIdOf(company)
  const entities: PipelineEntity[] = ['lead', 'case']
  return [
    [
      'pipeline',
      entities.map((entity) => ({
        companyId,
        id: demoId(`pipeline ${company.key} ${entity}`),
        tenantId: companyId,
        entity,
        name: entity === 'lead' ? 'From lead to client' : 'Client care',
        isDefault: true,
        dateCreated: iso(now - 120 * day),
      })),
    ],
    [
      'pipeline_stage',
      entities.flatMap((entity) =>
        defaultStages[entity].map((stage, position) => ({
          companyId,
          id: stageId(company, entity, stage.name),
          pipelineId: demoId(`pipeline ${company.key} ${entity}`),
          position,
          ...stage,
        })),
      ),
    ],
  ]
}

const subjects = [
  'Payslip does not match the employer’s letter',
  'Wrong phone number on the contract',
  'Client asks for a lower instalment',
  'Identity card expired',
  'Bank account rejected by the bank',
  'Employer does not confirm the employment',
  'Copy of the log book is missing',
  'Client wants to withdraw consent',
  'Duplicate application in another branch',
  'Proof of address needed',
  'Signature on page 3 is missing',
  'Client asks for a statement',
]
const comments = [
  'Called the client, no answer.',
  'The client brings the paper tomorrow.',
  'Asked the branch for a copy.',
  'Done and filed.',
  'Waiting for the employer.',
]

function caseRows({ company, users, leadCount, leadsOf, now }: Given, random: Random): Tables {
  const companyId = companyIdOf(company)
  const officers = users.filter(({ role }) => role === 'officer')
  const count = Math.min(60, leadCount)
  const rows = { cases: [] as object[], comments: [] as object[], moves: [] as object[] }
  for (let index = 0; index < count; index += 1) {
    const officer = random.pick(officers)
    const [id, created] = [demoId(`case ${company.key}`, index), now - random.int(1, 30 * 24) * 3_600_000]
    const stage = random.weighted(defaultStages.case.map((one, at) => [one, [3, 4, 2, 5, 1][at] ?? 1] as const))
    const key = { companyId, tenantId: officer.tenantIds[0] }
    const touched = stage.name === 'New' ? null : created + Math.floor((now - created) * random.next() * 0.5)
    const settled = touched === null || stage.type === 'open' ? null : touched + Math.floor((now - touched) * random.next())
    rows.cases.push({
      ...key,
      id,
      number: index + 1,
      title: random.pick(subjects),
      description: null,
      pipelineId: demoId(`pipeline ${company.key} case`),
      stageId: stageId(company, 'case', stage.name),
      status: stage.statuses[0],
      priority: random.weighted([
        ['Normal', 6],
        ['High', 3],
        ['Low', 2],
        ['Urgent', 1],
      ]),
      ownerUserId: officer.id,
      leadId: random.pick(leadsOf(officer.id)),
      dueDate: iso(created + random.int(3, 20) * day),
      firstResponseAt: touched === null ? null : iso(touched),
      resolvedAt: settled === null ? null : iso(settled),
      createdByUserId: officer.id,
      createdBy: nameOf(officer),
      dateCreated: iso(created),
      dateModified: iso(settled ?? touched ?? created),
    })
    if (touched === null) continue
    rows.moves.push({
      ...key,
      id: demoId(`case move ${company.key}`, index),
      objectType: 'case',
      objectId: id,
      field: 'stageId',
      move: 'move',
      from: 'New',
      to: stage.name,
      isFirst: true,
      movedInTenantId: key.tenantId,
      userId: officer.id,
      realUserId: officer.id,
      durationSeconds: Math.round((touched - created) / 1000),
      dateCreated: iso(touched),
    })
    rows.comments.push({
      ...key,
      id: demoId(`case comment ${company.key}`, index),
      objectType: 'case',
      objectId: id,
      userId: officer.id,
      realUserId: officer.id,
      text: random.pick(comments),
      dateCreated: iso(touched),
    })
  }
  return [
    ['sales_case', rows.cases],
    ['record_comment', rows.comments],
    ['record_move', rows.moves],
    ['record_counter', [{ companyId, objectType: 'case', last: count }]],
  ]
}
