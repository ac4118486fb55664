import { randomUUID } from 'node:crypto'
import ExcelJS from 'exceljs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { testApp, type SignedInClient, type TestApp } from '../support/app.ts'
import { workAlways } from '../support/at-work.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'
import { openSocket, type TestSocket } from '../support/socket.ts'
import { until } from '../support/until.ts'

let app: TestApp
let url: string
let jobs: { close(): Promise<void> }
let company: MadeTenant, north: MadeTenant, south: MadeTenant
let manager: MadeUser, agent: MadeUser, other: MadeUser

beforeAll(async () => {
  app = await testApp()
  url = await app.listen()
  const { services, queueStore, log } = app.machine
  jobs = startJobs({ areas: app.areas, services, store: queueStore, log, sweepMs: 200 })
  company = await app.make.company({ name: 'Sunrise' })
  await workAlways(app.make, company.id)
  north = await app.make.tenant({ company, type: 3, name: 'North' })
  south = await app.make.tenant({ company, type: 3, name: 'South' })
  manager = await app.make.user({ company, tenant: company, role: 'md', firstName: 'Maria' })
  agent = await app.make.user({ company, tenant: north, role: 'officer', firstName: '=Anna', lastName: '+1+1' })
  other = await app.make.user({ company, tenant: south, role: 'officer', firstName: 'Omar' })
  for (const status of ['New', 'Contacted', 'Submitted', 'Converted', 'Junk']) {
    const lead = await app.make.lead({
      tenant: north,
      user: agent,
      status,
      assignedUserId: agent.id,
      ...(status === 'Junk' ? { dateCreated: new Date(Date.now() - 60 * 86_400_000) } : {}),
    })
    // Contacted is what the log says: to and fro counts once, and a lead of long ago counts when it was reached.
    const times = { New: 0, Contacted: 1, Submitted: 2, Converted: 0, Junk: 1 }[status] ?? 0
    for (let time = 0; time < times; time += 1) {
      await app.make.row('record_move', {
        companyId: company.id,
        id: randomUUID(),
        tenantId: north.id,
        movedInTenantId: north.id,
        objectType: 'lead',
        objectId: lead.id,
        field: 'status',
        move: 'Contacted',
        from: 'New',
        to: 'Contacted',
        isFirst: time === 0,
        userId: agent.id,
        realUserId: agent.id,
      })
    }
  }
  await app.make.lead({ tenant: south, user: other, status: 'New', assignedUserId: other.id })
  const { companyId } = company
  await app.make.row('agent_action', { companyId, id: randomUUID(), tenantId: north.id, performedByUserId: agent.id, action: 1 })
  // Two kilometres to the north; a jump that somebody doubts does not count.
  for (const [minutes, latitude, flags] of [
    [30, -1.3, null],
    [20, -1.291, null],
    [10, -1.282, null],
    [5, -4.05, ['teleport']],
  ] as const) {
    await app.make.row('user_position', {
      companyId,
      userId: agent.id,
      tenantId: north.id,
      id: randomUUID(),
      deviceTime: new Date(Date.now() - minutes * 60_000),
      latitude,
      longitude: 36.8,
      accuracy: 10,
      flags,
    })
  }
  const foreign = await app.make.company({ name: 'Copper' })
  const spy = await app.make.user({ company: foreign, role: 'officer', firstName: 'ZZB' })
  await app.make.lead({ tenant: foreign, user: spy, firstName: 'ZZB', assignedUserId: spy.id })
})
afterAll(async () => {
  await jobs.close()
  await app.close()
})

interface Ran {
  client: SignedInClient
  socket: TestSocket
  done: Record<string, unknown>
}

async function run(user: MadeUser, event: string, data: object, answer = 'reportComplete'): Promise<Ran> {
  const client = await app.as(user)
  const socket = await openSocket(url, client)
  socket.send(event, data)
  return { client, socket, done: await socket.next(answer) }
}

async function openBook(path: string): Promise<ExcelJS.Workbook> {
  const response = await fetch(`${url}${path}`)
  expect(response.status).toBe(200)
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(await response.arrayBuffer())
  return book
}

const rowsOf = (sheet: ExcelJS.Worksheet | undefined) => (sheet?.getSheetValues() ?? []).slice(1).map((row) => (row as unknown[]).slice(1))

test('the manager runs the Sales Agent report: message, file, figures, totals, guard, About sheet', async () => {
  const { done, socket } = await run(manager, 'generateReport', { report: 'salesAgentReport' })
  expect(done).toMatchObject({ success: true, reportName: 'Sales Agent Report', heading: 'Report generated successfully' })
  expect(done.body).toMatch(/^Sales Agent Report \d{8}-\d{6}\.xlsx generated successfully$/)
  const book = await openBook(String(done.filePath))
  const rows = rowsOf(book.getWorksheet('Sales Agent Report'))
  expect(rows[0]?.slice(0, 5)).toEqual(['Agent', 'User name', 'Tenant', 'Leads', 'Contacted'])
  const anna = rows.find((row) => String(row[0]).includes('Anna'))
  expect(anna?.slice(2)).toEqual(['North', 4, 3, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 1, 2])
  // A cell of text, as she is called: no formula, and no sign before it.
  expect(anna?.[0]).toBe('=Anna +1+1')
  expect(rows.at(-1)?.slice(0, 8)).toEqual(['Total', undefined, undefined, 5, 3, 0, 2, 1])
  expect(book.getWorksheet('Sales Agent Report')?.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 })
  const about = Object.fromEntries(rowsOf(book.getWorksheet('About')) as [string, unknown][])
  expect(about).toMatchObject({ Report: 'Sales Agent Report', Company: 'Sunrise', Rows: 2 })
  expect(String(about['Generated by'])).toContain('Maria')
  expect(JSON.stringify(rows)).not.toContain('ZZB')
  socket.socket.close()
})

test('Contacted is one number, in the report and in the target', async () => {
  const client = await app.as(manager)
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(Date.now())
  const made = await client.post<{ target: { Id: string; figures: { actual: number } } }>('/api/targets', {
    metric: 'leads.contacted',
    ownerType: 'user',
    ownerUserId: agent.id,
    periodKind: 'month',
    startDate: day,
    value: 10,
  })
  expect(made.status, made.text).toBe(200)
  const { body } = await client.get<{ target: { figures: { actual: number } } }>(`/api/targets/${made.body.data.target.Id}`)
  expect(body.data.target.figures.actual).toBe(3)
})

interface Preview {
  columns: { key: string; title: string; kind: string }[]
  rows: Record<string, unknown>[]
  hasMore: boolean
  chart?: { label: string; value: string }
  filters: { label: string; value: string }[]
}
const previewOf = async (user: MadeUser, report: string, parameters: Record<string, unknown> = {}) =>
  (await app.as(user)).post<{ preview: Preview }>('/api/reports/preview', { report, parameters })

test('a preview has the columns and first rows of the file, under the same rights, and makes no run', async () => {
  const {
    status,
    body: {
      data: { preview },
    },
  } = await previewOf(manager, 'salesAgentReport')
  expect(status).toBe(200)
  expect(preview.columns.slice(0, 5).map(({ title }) => title)).toEqual(['Agent', 'User name', 'Tenant', 'Leads', 'Contacted'])
  expect(preview.rows.map(({ leads, tenant }) => [tenant, Number(leads)])).toEqual([
    ['North', 4],
    ['South', 1],
  ])
  expect(preview).toMatchObject({ hasMore: false, chart: { label: 'name', value: 'leads' } })
  const branch = await app.make.user({ company, tenant: north, role: 'branch' })
  expect((await previewOf(branch, 'salesAgentReport')).body.data.preview.rows.map(({ tenant }) => tenant)).toEqual(['North'])
  expect((await previewOf(agent, 'salesAgentReport')).status).toBe(403)
  expect((await previewOf(manager, 'salesAgentReport', { startDate: 'soon' })).body.fields?.[0]?.field).toBe('parameters.startDate')
  const { filters } = (await previewOf(manager, 'userLoginReport', { startDate: '2026-11-01', endDate: '2026-11-22' })).body.data.preview
  expect(filters).toEqual([
    { label: 'From', value: '1 Nov 2026' },
    { label: 'To', value: '22 Nov 2026' },
  ])
  expect((await (await app.as(branch)).get<{ reportRuns: unknown[] }>('/api/reports/runs')).body.data.reportRuns).toEqual([])
})

test('a list to be exported is previewed by its own permission, and no further than 50 rows', async () => {
  for (let count = 0; count < 55; count += 1) await app.make.lead({ tenant: south, user: other, status: 'Junk' })
  const {
    body: {
      data: { preview },
    },
  } = await previewOf(manager, 'exportList', { resource: 'lead', columns: 'fullName,status,tenantId' })
  expect(preview.rows).toHaveLength(50)
  expect([preview.hasMore, preview.columns.map(({ title }) => title)]).toEqual([true, ['Name', 'Status', 'Branch']])
})

test('every report the caller may run is in the menu', async () => {
  const client = await app.as(manager)
  const { reports } = (await client.get<{ reports: { screen: string }[] }>('/api/reports')).body.data
  const { menu } = (await client.get('/api/console')).body.data as unknown as { menu: { key: string; children?: { path: string }[] }[] }
  const shown = menu.find(({ key }) => key === 'reports')?.children?.map(({ path }) => path)
  expect(reports.map(({ screen }) => screen).filter((path) => !shown?.includes(path))).toEqual([])
  expect(reports.length).toBeGreaterThanOrEqual(2)
})

test('a file is named by the clock of the company', async () => {
  const far = await app.make.company({ name: 'Far', timeZone: 'Pacific/Kiritimati' })
  const user = await app.make.user({ company: far, tenant: far, role: 'md' })
  const { done } = await run(user, 'generateReport', { report: 'userLoginReport' })
  const [day] = /\d{8}(?=-\d{6}\.xlsx)/.exec(String(done.body)) ?? []
  const here = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(at).replaceAll('-', '')
  expect([here(Date.now()), here(Date.now() - 60_000)]).toContain(day)
  const hour = /-(\d\d)\d{4}\.xlsx/.exec(String(done.body))?.[1]
  expect([13, 14, 15].map((ahead) => (new Date().getUTCHours() + ahead) % 24)).toContain(Number(hour))
})

test('who reaches one branch sees that branch, over HTTP too', async () => {
  const branch = await app.make.user({ company, tenant: north, role: 'branch' })
  const client = await app.as(branch)
  const { status, body } = await client.post('/api/reports/run', { report: 'salesAgentReport', parameters: {}, format: 'csv' })
  expect(status).toBe(202)
  const get = async () => (await client.get(`/api/reports/runs/${body.data.runId}`)).body.data.reportRun as { status: string; rows: number }
  await until(async () => (await get()).status === 'done')
  const { filePath } = (await client.post(`/api/reports/runs/${body.data.runId}/link`)).body.data
  const text = await (await fetch(`${url}${filePath}`)).text()
  const [table = '', foot = ''] = text.split('\r\n\r\n')
  const lines = table.split('\r\n')
  expect(lines).toHaveLength(2)
  // What it is stands below: definition, as of when, for whom, and as many rows as there are.
  expect(foot).toMatch(/^Report,.*\r\nDefinition,[^]*\r\nAs of,.*\r\n[^]*Tenant,North\r\n[^]*\r\nRows,1\r\n$/)
  expect(lines[1]).toBe(`'=Anna +1+1,'${agent.userName},North,4,3,0,2,1,0,0,0.00,0,0.00,0.00,0.25,0,0,0,0,1,2`)
  const raw = Buffer.from(
    await (await fetch(`${url}${(await client.post(`/api/reports/runs/${body.data.runId}/link`)).body.data.filePath}`)).arrayBuffer(),
  )
  expect([...raw.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
})

test('the User Login report counts logins, refusals and those who never came', async () => {
  const address = await app.make.user({ company, tenant: company, role: 'credit', firstName: 'Lina' })
  await app.login(address)
  await app.login({ ...address, password: 'wrong-password-here' })
  const { done, socket } = await run(manager, 'runReportV2', { reportId: 'userLoginReport', exportFormat: 'csv' }, 'csvReportComplete')
  expect(done).toMatchObject({ success: true, heading: 'CSV Report generated successfully', reportName: 'User Login Report' })
  const lines = (await (await fetch(`${url}${done.filePath}`)).text()).split('\r\n')
  const heading = lines[0]?.slice(1).split(',') ?? []
  const at = (line: string | undefined, column: string) => line?.split(',')[heading.indexOf(column)]
  const lina = lines.find((line) => line.includes(address.userName))
  expect([at(lina, 'Logins'), at(lina, 'Refused'), at(lina, 'Never logged in')]).toEqual(['1', '1', 'No'])
  expect(
    at(
      lines.find((line) => line.includes(other.userName)),
      'Never logged in',
    ),
  ).toBe('Yes')
  expect(lines.join()).not.toContain('ZZB')
  socket.socket.close()
})

test('a link opens once, for five minutes, while its session lasts', async () => {
  const { client, done } = await run(manager, 'generateReport', { report: 'salesAgentReport' })
  const path = String(done.filePath)
  const runId = String(done.runId)
  expect((await app.nobody.get(path)).status).toBe(200)
  expect((await app.nobody.get(path)).body).toMatchObject({ code: 'TOKEN_INVALID', status: 400 })
  const link = async () => (await client.post<{ filePath: string }>(`/api/reports/runs/${runId}/link`)).body.data.filePath
  const late = await link()
  app.clock.move(301)
  expect((await app.nobody.get(late)).status).toBe(400)
  const orphan = await link()
  await client.get('/api/auth/logout')
  expect((await app.nobody.get(orphan)).status).toBe(401)
  expect((await app.nobody.get('/api/reports/files/AAAA')).status).toBe(400)
  const stranger = await app.as(other)
  expect((await stranger.get(`/api/reports/runs/${runId}`)).status).toBe(404)
  expect((await stranger.post(`/api/reports/runs/${runId}/link`)).status).toBe(404)
  expect((await stranger.post(`/api/reports/runs/${runId}/cancel`)).status).toBe(404)
})

test('a run belongs to a person of a home: staff of the group get theirs, and one of another home under the same id is not the caller’s', async () => {
  const group = await app.make.group()
  const theirs = await app.make.company({ group })
  const client = await app.as(await app.make.user({ company: group, role: 'global' }), { tenant: theirs })
  const { runId } = (await client.post<{ runId: string }>('/api/reports/run', { report: 'userLoginReport', format: 'csv' })).body.data
  const run = () => client.get<{ reportRun: { status: string } }>(`/api/reports/runs/${runId}`)
  await until(async () => (await run()).body.data.reportRun.status === 'done')
  expect((await client.post(`/api/reports/runs/${runId}/link`, {})).status).toBe(200)
  await app.database.admin.query('update report_run set "homeCompanyId" = "companyId" where id = $1', [runId])
  expect([(await run()).status, (await client.post(`/api/reports/runs/${runId}/link`, {})).status]).toEqual([404, 404])
})

test('wrong names, parameters and missing rights are refused at once', async () => {
  const client = await app.as(manager)
  const ask = async (body: object, by = client) => (await by.post('/api/reports/run', body)).body
  expect(await ask({ report: 'nothing' })).toMatchObject({ code: 'NOT_FOUND' })
  expect(await ask({ report: 'salesAgentReport', parameters: { startDate: 'yesterday' } })).toMatchObject({
    code: 'INVALID',
    fields: [{ field: 'parameters.startDate' }],
  })
  expect(await ask({ report: 'salesAgentReport', parameters: { startDate: '2026-02-01', endDate: '2026-01-01' } })).toMatchObject({
    fields: [{ field: 'endDate' }],
  })
  expect(await ask({ report: 'salesAgentReport', parameters: { branch: 1 } })).toMatchObject({ fields: [{ field: 'parameters.branch' }] })
  const officer = await app.as(agent)
  expect(await ask({ report: 'salesAgentReport' }, officer)).toMatchObject({ code: 'FORBIDDEN' })
  expect(await ask({ report: 'exportList', parameters: { resource: 'users.list' } }, officer)).toMatchObject({ success: false })
  expect((await officer.get('/api/reports')).body.data).toEqual({ reports: [] })
  expect((await client.get<{ reports: { name: string }[] }>('/api/reports')).body.data.reports.map(({ name }) => name)).toEqual([
    'userLoginReport',
    'passwordHistoryReport',
    'newUsersReport',
    'leadTimeInStateReport',
    'activityTimeInStateReport',
    'caseTimeInStateReport',
    'salesAgentReport',
    'complaintRegister',
    'complaintTimeInStateReport',
    'loanApplicationTimeInStateReport',
    'parVarThirtyReport',
    'tenantLoansReport',
    'collectionsSummaryReport',
    'rollRatesReport',
  ])
})

test('any list exports with its filters, as the caller sees it', async () => {
  const officer = await app.as(agent)
  const { body } = await officer.post('/api/reports/run', {
    report: 'exportList',
    format: 'csv',
    parameters: {
      resource: 'lead',
      query: JSON.stringify({ filter: '[{"field":"status","op":"in","value":["New","Converted"]}]' }),
      columns: 'firstName,status',
    },
  })
  expect(body).toMatchObject({ success: true })
  const get = async () => (await officer.get(`/api/reports/runs/${body.data.runId}`)).body.data.reportRun as { status: string }
  await until(async () => (await get()).status === 'done')
  const { filePath } = (await officer.post(`/api/reports/runs/${body.data.runId}/link`)).body.data
  const lines = (await (await fetch(`${url}${filePath}`)).text()).split('\r\n').filter((line) => line !== '')
  expect(lines.map((line) => line.split(',')[1]).sort()).toEqual(['Converted', 'New', 'Status'])
})

test.each([
  ['UGX', '250000', '#,##0'],
  ['KES', '250000.00', '#,##0.00'],
])('amounts in %s are exported with its decimals', async (currency, written, numFmt) => {
  const lender = await app.make.company({ name: `Lender in ${currency}`, currency })
  const owner = await app.make.user({ company: lender, role: 'md' })
  await app.make.lead({ tenant: lender, user: owner, totalAffordability: 250_000 })
  const client = await app.as(owner)
  const exported = async (format: 'csv' | 'xlsx') => {
    const parameters = { resource: 'lead', columns: 'totalAffordability' }
    const { body } = await client.post('/api/reports/run', { report: 'exportList', format, parameters })
    const run = `/api/reports/runs/${body.data.runId}`
    await until(async () => ((await client.get(run)).body.data.reportRun as { status: string }).status === 'done')
    return String((await client.post(`${run}/link`)).body.data.filePath)
  }
  const text = await (await fetch(`${url}${await exported('csv')}`)).text()
  expect(text.split('\r\n')[1]).toBe(written)
  const cell = (await openBook(await exported('xlsx'))).worksheets[0]!.getCell('A2')
  expect([cell.value, cell.numFmt]).toEqual([250_000, numFmt])
})

test('a list filtered by groups exports exactly the rows it counts', async () => {
  const client = await app.as(manager)
  const exported = async (filter: object[]) => {
    const query = JSON.stringify({ filter: JSON.stringify(filter), sortField: 'status', sortOrder: 'ASC' })
    const { body } = await client.post('/api/reports/run', {
      report: 'exportList',
      format: 'csv',
      parameters: { resource: 'lead', query, columns: 'firstName,status,assignedUserId' },
    })
    expect(body).toMatchObject({ success: true })
    await until(
      async () => ((await client.get(`/api/reports/runs/${body.data.runId}`)).body.data.reportRun as { status: string }).status === 'done',
    )
    const { filePath } = (await client.post(`/api/reports/runs/${body.data.runId}/link`)).body.data
    return (await (await fetch(`${url}${filePath}`)).text())
      .split('\r\n')
      .filter((line) => line !== '')
      .slice(1)
      .map((line) => line.split(',')[1] ?? '')
      .toSorted()
  }
  const listed = async (filter: object[]) => {
    const { body } = await client.get<{ leads: { status: string }[] }>(`/api/leads?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    expect(body.meta?.total).toBe(body.data.leads.length)
    return body.data.leads.map(({ status }) => status).toSorted()
  }
  const term = (field: string, op: string, value: unknown) => ({ field, op, value })
  const mine = term('assignedUserId', 'eq', agent.id)
  for (const [filter, statuses] of [
    [[{ any: [term('status', 'eq', 'Converted'), { all: [term('status', 'eq', 'New'), mine] }] }], ['Converted', 'New']],
    [
      [mine, { any: [term('status', 'eq', 'New'), term('status', 'eq', 'Submitted')] }],
      ['New', 'Submitted'],
    ],
    [
      [{ any: [{ all: [term('status', 'eq', 'New'), term('assignedUserId', 'eq', other.id)] }, term('status', 'eq', 'Contacted')] }],
      ['Contacted', 'New'],
    ],
    [[{ all: [term('status', 'eq', 'New'), term('status', 'eq', 'Converted')] }], []],
  ] as [object[], string[]][]) {
    expect(await listed(filter), JSON.stringify(filter)).toEqual(statuses)
    expect(await exported(filter), JSON.stringify(filter)).toEqual(statuses)
  }
})

test('60,000 rows: progress on the way, and a cancel that stops the writing', async () => {
  const big = await app.make.company({ name: 'Big' })
  const boss = await app.make.user({ company: big, role: 'md' })
  await app.database.admin
    .query(`set session_replication_role = replica; insert into lead ("companyId", id, "tenantId", "firstName", "lastName", phonenumber, "trimmedPhonenumber", "createdByUserId", "leadCreatedBy", "searchText")
    select '${big.id}', gen_random_uuid(), '${big.id}', 'First ' || n, 'Last', '07' || n, '07' || n, '${boss.id}', 'boss', '' from generate_series(1, 60000) n; set session_replication_role = origin`)
  const client = await app.as(boss)
  const socket = await openSocket(url, client)
  const parameters = { resource: 'leads.list' }
  socket.send('runReportV2', { reportId: 'exportList', parameters, exportFormat: 'csv' })
  const { runId } = await socket.next('reportProgress')
  await socket.next('reportProgress', ({ rows }) => Number(rows) > 0)
  socket.send('cancelReport', { runId })
  expect(await socket.next('csvReportComplete')).toMatchObject({ success: false, heading: 'Report cancelled', runId })
  socket.send('runReportV2', { reportId: 'exportList', parameters: { ...parameters, columns: 'firstName' }, exportFormat: 'csv' })
  const done = await socket.next('csvReportComplete', ({ success }) => success === true)
  const text = await (await fetch(`${url}${done.filePath}`)).text()
  expect(text.split('\r\n').filter((line) => line !== '')).toHaveLength(60_001)
  socket.socket.close()
})

test('time in status: figures a status, by branch and officer, and each number opens the records that it counts', async () => {
  await app.database.admin.query(
    `update record_move m set "durationSeconds" = 3600 * n.n from (select id, row_number() over (order by id) as n from record_move where "companyId" = $1) n where n.id = m.id`,
    [company.id],
  )
  type Row = { state: string; passed: number; median: number | null; p90: number | null; here: number; since: string | null }
  const ask = async (parameters = {}) => {
    const answer = await (
      await app.as(manager)
    ).post<{ preview: { rows: Row[]; opens: Record<string, string>[] } }>('/api/reports/preview', {
      report: 'leadTimeInStateReport',
      parameters,
    })
    expect(answer.status, answer.text).toBe(200)
    const { rows, opens } = answer.body.data.preview
    return rows.map((row, index) => ({ ...row, opens: opens[index] ?? {} }))
  }
  const [rows, client] = [await ask(), await app.as(manager)]
  expect(rows.slice(0, 3).map(({ state }) => state)).toEqual(['New', 'Assigned', 'Contacted'])
  expect(rows[0]).toMatchObject({ passed: 3, median: 9_000, p90: 13_320, here: 2 })
  expect(rows[2]).toMatchObject({ passed: 0, median: null, here: 1, opens: { here: expect.stringContaining('/sales/leads?') as string } })
  const counted = async (address: string | undefined) => {
    const query = new URL(address ?? '', 'http://x').searchParams
    const list = new URLSearchParams({
      dateType: String(query.get('dateType')),
      startDate: String(query.get('from')),
      endDate: String(query.get('to')),
      filter: String(query.get('filter')),
    })
    const answer = await client.get(`/api/leads?${list.toString()}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body.meta?.total
  }
  for (const { passed, here, opens } of [...rows, ...(await ask({ officer: agent.id, branch: north.id }))]) {
    if (passed > 0) expect(await counted(opens['passed'])).toBe(passed)
    if (here > 0) expect(await counted(opens['here'])).toBe(here)
  }
  expect((await ask({ officer: agent.id }))[0]).toMatchObject({ passed: 3, here: 1 })
  expect((await ask({ branch: south.id }))[0]).toMatchObject({ passed: 0, here: 1 })
  expect((await ask({ startDate: '2026-01-01', endDate: '2026-01-02' }))[0]).toMatchObject({ passed: 0, median: null, here: 2 })
  expect((await previewOf(agent, 'leadTimeInStateReport')).status).toBe(403)
  const wrong = await client.get(
    `/api/leads?filter=${encodeURIComponent(JSON.stringify([{ field: 'leftStatus', op: 'eq', value: 'New' }]))}`,
  )
  expect([wrong.status, wrong.body.fields?.[0]?.field]).toEqual([422, 'filter'])
  const { done, socket } = await run(manager, 'generateReport', { report: 'leadTimeInStateReport' })
  const sheet = rowsOf((await openBook(String(done.filePath))).getWorksheet('Time in status of leads'))
  expect(sheet[0]).toEqual(['Status', 'Passed', 'Median time', '90 % within', 'In it now', 'Oldest since'])
  expect(sheet.find(([state]) => state === 'New')?.slice(1, 2)).toEqual([3])
  socket.socket.close()
})

test('time in stage comes from the declaration of cases alike, with the stages of the company', async () => {
  const client = await app.as(manager)
  const { body } = await client.post<{ case: { Id: string } }>('/api/cases', { title: 'A lost paper' })
  const made = body.data.case
  const { body: stages } = await client.put(`/api/cases/${made.Id}/stage`, { stageId: randomUUID() })
  const next = (stages.details?.['allowed'] as { Id: string; name: string }[] | undefined)?.at(1)
  expect((await client.put(`/api/cases/${made.Id}/stage`, { stageId: next?.Id })).status).toBe(200)
  const { status, body: answer } = await previewOf(manager, 'caseTimeInStateReport')
  expect(status).toBe(200)
  const { rows } = answer.data.preview
  expect(rows[0]).toMatchObject({ passed: 1, here: 0 })
  expect(rows.find(({ state }) => state === next?.name)).toMatchObject({ here: 1 })
})
