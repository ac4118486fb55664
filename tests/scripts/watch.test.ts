import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { killServers, startServer } from '../support/process.ts'

/** What operators watch (deploy/prometheus, deploy/grafana) against what the programs really show at /metrics. */
const deploy = resolve(import.meta.dirname, '../../deploy')
const token = 'a token of sixteen characters and more'
/** Labels that Prometheus adds. */
const added = ['job', 'instance', 'alertname', 'alertstate']
/** Series that Prometheus makes itself. */
const ofPrometheus = ['up', 'ALERTS']

interface Panel {
  id: number
  title: string
  type: string
  datasource: { uid: string }
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string; datasource: { uid: string } }[]
}
interface Dashboard {
  uid: string
  panels: Panel[]
}

let database: TestDatabase
let dir = ''
/** Names and labels that the server and the geo service show. */
/** Ports of the geo service that are open to the world. */
const open: number[] = []
const shown = new Map<string, Set<string>>()

beforeAll(async () => {
  database = await testDatabase()
  dir = await mkdtemp(join(tmpdir(), 'outpost-watch-'))
  for (const app of ['server', 'geo'] as const) {
    const { url, ready } = await startServer({
      app,
      database,
      dataDir: dir,
      env: { METRICS_TOKEN: token, DEVICE_PORTS: 'osmand:0', DEVICE_HOST: '127.0.0.1' },
    })
    for (const { port } of (ready as { ports?: { port: number }[] }).ports ?? []) open.push(port)
    const get = (path: string, headers = {}) => fetch(new URL(path, url), { headers })
    // Without it there is nothing here: the geo service says so, the server shows its console.
    expect([app, (await (await get('/metrics')).text()).includes('# TYPE')]).toEqual([app, false])
    // A call, so that its time is among the figures.
    await get('/nothing')
    const answer = await get('/metrics', { authorization: `Bearer ${token}` })
    expect([app, answer.status]).toEqual([app, 200])
    note(await answer.text())
  }
}, 180_000)
afterAll(async () => {
  await killServers()
  await database.drop()
  await rm(dir, { recursive: true, force: true })
})

/** Takes names, types and labels from Prometheus' text format. Of a histogram there are three series. */
function note(text: string): void {
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const series of type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name])
      if (!shown.has(series)) shown.set(series, new Set())
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]+)\{(.*)\} /gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) shown.get(name)?.add(label)
}

const alerts = async () =>
  (
    parse(await readFile(join(deploy, 'prometheus/alerts.yml'), 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  ).groups.flatMap(({ rules }) => rules)
const dashboards = async () => {
  const folder = join(deploy, 'grafana/dashboards')
  return Promise.all(
    (await readdir(folder)).map(async (file) => ({ file, board: JSON.parse(await readFile(join(folder, file), 'utf8')) as Dashboard })),
  )
}
/** Every expression, with where it is asked. */
const expressions = async (): Promise<[where: string, expr: string][]> => [
  ...(await alerts()).map(({ alert, expr }): [string, string] => [alert, expr]),
  ...(await dashboards()).flatMap(({ file, board }) =>
    board.panels.flatMap(({ title, targets }) => targets.map(({ expr }): [string, string] => [`${file}: ${title}`, expr])),
  ),
]

/** Series of an expression: what is left of its words without functions, groupings, labels and texts. */
function seriesOf(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/(?<![\w$.])([a-zA-Z_]\w*)\b(?!\s*\()/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['and', 'or', 'unless', 'by'].includes(name))
}
const labelsOf = (expr: string): string[] => [
  ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(\w+)\s*[=!]~?/g)].map(([, label = '']) => label),
  ),
  ...[...expr.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, inside = '']) => inside.split(',').map((label) => label.trim())),
]

it('the port that phones reach shows no figures, whoever asks', async () => {
  expect(open).toHaveLength(1)
  for (const headers of [undefined, { authorization: `Bearer ${token}` }]) {
    const answer = await fetch(`http://127.0.0.1:${open[0]}/metrics`, headers ? { headers } : {})
    expect([answer.status, (await answer.text()).includes('# TYPE')]).toEqual([404, false])
  }
  expect((await fetch(`http://127.0.0.1:${open[0]}/healthz`)).status).toBe(200)
})

it('every alert and every panel asks for series that the server or the geo service shows', async () => {
  const asked = await expressions()
  expect(asked.length).toBeGreaterThan(40)
  const unknown = asked.flatMap(([where, expr]) =>
    seriesOf(expr)
      .filter((name) => !shown.has(name) && !ofPrometheus.includes(name))
      .map((name) => `${where}: ${name}`),
  )
  expect(unknown).toEqual([])
  for (const [where, expr] of asked) expect([where, seriesOf(expr).length > 0]).toEqual([where, true])
})

it('every label asked for is one of the figures', async () => {
  // Of counters that have counted nothing yet, the names that the code gives them.
  const declared: string[] = []
  for (const file of ['packages/platform/src', 'apps/server/src/kernel', 'apps/geo/src'])
    declared.push(...(await labelsIn(resolve(deploy, '..', file))))
  const known = new Set([...added, ...declared, ...[...shown.values()].flatMap((labels) => [...labels])])
  const unknown = (await expressions()).flatMap(([where, expr]) =>
    labelsOf(expr)
      .filter((label) => !known.has(label))
      .map((label) => `${where}: ${label}`),
  )
  expect(unknown).toEqual([])
})

async function labelsIn(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) =>
    [...text.matchAll(/\bcounter\([^[]*\[([^\]]*)\]/g)].flatMap(([, inside = '']) =>
      [...inside.matchAll(/'(\w+)'/g)].map(([, label = '']) => label),
    ),
  )
}

it('what issue and README promise to an operator is on a dashboard', async () => {
  const drawn = new Set(
    (await dashboards()).flatMap(({ board }) => board.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => seriesOf(expr)))),
  )
  for (const name of [
    ['outbox_oldest_seconds', 'outbox_waiting', 'outbox_dead', 'jobs_tries'],
    ['database_connections', 'database_slow_statements', 'relay_seconds_bucket', 'http_request_seconds_bucket'],
    ['sockets_open', 'sync_changes', 'sync_lag_seconds_bucket', 'mail_letters'],
    ['geo_frames_refused', 'geo_rows_waiting', 'geo_processing_behind_seconds', 'geo_devices_connected', 'geo_proxy_headers_refused'],
  ].flat())
    expect([name, drawn.has(name)]).toEqual([name, true])
})

it('Grafana finds data source and dashboards where compose puts them; panels have ids of their own and lie side by side', async () => {
  const read = async (path: string) => parse(await readFile(join(deploy, 'grafana/provisioning', path), 'utf8')) as never
  const { datasources } = (await read('datasources/prometheus.yml')) as { datasources: { uid: string; url: string; type: string }[] }
  const { providers } = (await read('dashboards/outpost.yml')) as { providers: { options: { path: string } }[] }
  const compose = parse(await readFile(resolve(deploy, '../docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { volumes?: string[]; environment?: Record<string, string>; profiles?: string[] }>
  }
  const { grafana, prometheus } = compose.services
  expect([grafana?.profiles, prometheus?.profiles]).toEqual([['watch'], ['watch']])
  expect(datasources).toMatchObject([{ type: 'prometheus', uid: 'prometheus', url: 'http://prometheus:9090' }])
  expect(grafana?.volumes).toEqual(
    expect.arrayContaining([
      `./deploy/grafana/dashboards:${providers[0]?.options.path}:ro`,
      './deploy/grafana/provisioning:/etc/grafana/provisioning:ro',
    ]),
  )
  const all = await dashboards()
  expect(new Set(all.map(({ board }) => board.uid)).size).toBe(all.length)
  for (const { file, board } of all) {
    const { panels } = board
    expect([file, new Set(panels.map(({ id }) => id)).size]).toEqual([file, panels.length])
    for (const panel of panels)
      for (const { datasource } of [panel, ...panel.targets]) expect([file, datasource.uid]).toEqual([file, 'prometheus'])
    const over = panels.flatMap((one, n) =>
      panels
        .slice(n + 1)
        .filter((other) => overlaps(one, other))
        .map((other) => `${file}: ${one.title}, ${other.title}`),
    )
    expect(over).toEqual([])
    expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
  }
  expect(all.map(({ file }) => `/etc/grafana/dashboards/${file}`)).toContain(
    grafana?.environment?.['GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH'],
  )
})

const overlaps = ({ gridPos: a }: Panel, { gridPos: b }: Panel) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

it('a program with a token is asked with it: compose gives Prometheus the same one', async () => {
  const compose = parse(await readFile(resolve(deploy, '../docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string>; entrypoint?: string[] }>
  }
  const given = ['api', 'worker', 'geo', 'prometheus'].map((name) => compose.services[name]?.environment?.['METRICS_TOKEN'])
  expect(new Set(given)).toEqual(new Set(['${METRICS_TOKEN:-}']))
  const { scrape_configs: jobs } = parse(await readFile(join(deploy, 'prometheus/prometheus.yml'), 'utf8')) as {
    scrape_configs: { job_name: string; authorization: { credentials_file: string } }[]
  }
  expect(jobs.map(({ job_name: name }) => name)).toEqual(['api', 'worker', 'geo'])
  for (const { authorization } of jobs)
    expect(compose.services['prometheus']?.entrypoint?.join(' ')).toContain(`> ${authorization.credentials_file}`)
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

it.skipIf(!hasPromtool)(
  'Prometheus itself, where there is one, reads settings, alerts and every expression of the dashboards',
  async () => {
    const settings = (await readFile(join(deploy, 'prometheus/prometheus.yml'), 'utf8')).replaceAll(
      '/tmp/metrics-token',
      join(dir, 'token'),
    )
    await writeFile(join(dir, 'token'), token)
    await writeFile(join(dir, 'prometheus.yml'), settings)
    await writeFile(join(dir, 'alerts.yml'), await readFile(join(deploy, 'prometheus/alerts.yml'), 'utf8'))
    const panels = (await expressions()).map(([, expr], n) => ({ record: `panel:${n}`, expr: expr.replaceAll('$__rate_interval', '5m') }))
    await writeFile(join(dir, 'panels.yml'), JSON.stringify({ groups: [{ name: 'panels', rules: panels }] }))
    const run = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' })
    for (const args of [
      ['check', 'config', join(dir, 'prometheus.yml')],
      ['check', 'rules', join(dir, 'panels.yml')],
    ]) {
      const { status, stdout, stderr } = run(...args)
      expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
    }
  },
)
