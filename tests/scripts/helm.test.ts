import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { geoSettings } from '../../apps/geo/src/env.ts'
import { serverSettings } from '../../apps/server/src/env.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { renderTemplate } from '../support/go-template.ts'

/**
 * No package registry has Helm: templates are rendered by the part of its language that they use, and what comes out is checked. Go's own template
 * language is held against that where there is one, and Helm itself lints and renders where there is one.
 */
const chart = resolve(import.meta.dirname, '../../deploy/helm/outpost')
const text = (name: string) => readFileSync(join(chart, name), 'utf8')
interface Values extends Record<string, unknown> {
  api: { autoscaling: object }
  worker: { autoscaling: object }
  ingress: object
  settings: Record<string, string>
  geo: { devices: { ports: { protocol: string; port: number }[] } }
}
const standard = parse(text('values.yaml')) as Values
const values = (change: object = {}): Values => ({
  ...standard,
  publicUrl: 'https://outpost.example',
  databaseUrl: 'postgres://db:5432/outpost',
  ...change,
})

interface Container {
  name: string
  image: string
  command?: string[]
  env: { name: string; value: unknown }[]
  envFrom: { secretRef: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  securityContext: object
  startupProbe?: object
  livenessProbe?: { httpGet: { path: string; port: string } }
  readinessProbe?: { httpGet: { path: string; port: string } }
}
interface Resource {
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
  spec: {
    replicas?: number
    maxUnavailable?: number
    backoffLimit?: number
    minReplicas?: number
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>
    ports?: { name: string; targetPort: string }[]
    metrics?: unknown[]
    scaleTargetRef?: { name: string }
    template?: {
      metadata: { labels: object }
      spec: { containers: Container[]; securityContext: object; automountServiceAccountToken: boolean }
    }
  }
}
const rendered = (given: Values = values()): Resource[] =>
  readdirSync(join(chart, 'templates')).flatMap((name) =>
    parseAllDocuments(renderTemplate(text(`templates/${name}`), { Values: given, Release: { Name: 'test' } })).flatMap((document) => {
      expect([name, document.errors]).toEqual([name, []])
      return document.contents === null ? [] : [document.toJS() as Resource]
    }),
  )
const of = (kind: string, from = rendered()) => from.filter((one) => one.kind === kind)
const programs = (from = rendered()) => from.flatMap(({ spec }) => spec.template?.spec.containers ?? [])

it('the values are checked by their schema: the standard ones lack only what an operator must say', () => {
  const schema = z.fromJSONSchema(JSON.parse(text('values.schema.json')) as Parameters<typeof z.fromJSONSchema>[0])
  expect(schema.safeParse(values()).error?.issues).toBeUndefined()
  expect(
    schema
      .safeParse(standard)
      .error?.issues.map(({ path }) => path.join('.'))
      .toSorted(),
  ).toEqual(['databaseUrl', 'publicUrl'])
  const wrong = [
    { publicUrl: 'http://outpost.example' },
    { databaseUrl: 'postgres://user:password@db/outpost' },
    { settings: {} },
    { settings: { S3_BUCKET: 'b', PORT: 8080 } },
    { unknown: true },
    { worker: { ...standard.worker, replicas: 0 } },
  ]
  for (const change of wrong) expect([change, schema.safeParse(values(change)).success]).toEqual([change, false])
  const about = parse(text('Chart.yaml')) as { appVersion: string }
  expect([about.appVersion, (standard['image'] as { tag: string }).tag]).toEqual([packageJson.version, packageJson.version])
})

it('api, worker and geo are programs with probes, a budget for disruptions and closed containers; names are said once', () => {
  const all = rendered()
  const names = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  expect(new Set(names).size).toBe(names.length)
  const deployments = of('Deployment', all)
  expect(deployments.map(({ metadata }) => metadata.name).toSorted()).toEqual(['test-api', 'test-geo', 'test-worker'])
  for (const { metadata, spec } of deployments) {
    const [container] = spec.template?.spec.containers ?? []
    expect(spec.selector?.matchLabels).toEqual(spec.template?.metadata.labels)
    expect([container?.livenessProbe?.httpGet.path, container?.readinessProbe?.httpGet.path]).toEqual(['/healthz', '/readyz'])
    expect(container?.ports?.map(({ name }) => name)).toContain(container?.readinessProbe?.httpGet.port)
    expect(container?.startupProbe).toBeDefined()
    const budget = of('PodDisruptionBudget', all).find((one) => one.metadata.name === metadata.name)
    expect([budget?.spec.maxUnavailable, budget?.spec.selector?.matchLabels]).toEqual([1, spec.selector?.matchLabels])
  }
  for (const { spec } of all.filter((one) => one.spec.template)) {
    expect(spec.template?.spec.automountServiceAccountToken).toBe(false)
    expect(spec.template?.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    for (const { securityContext, image } of spec.template?.spec.containers ?? []) {
      expect(securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } })
      expect(image).toBe(`outpost:${packageJson.version}`)
    }
  }
})

it('each service finds pods, at a port that they have', () => {
  const all = rendered()
  for (const { metadata, spec } of of('Service', all)) {
    const pods = of('Deployment', all).find((one) => JSON.stringify(one.spec.selector?.matchLabels) === JSON.stringify(spec.selector))
    const ports = pods?.spec.template?.spec.containers[0]?.ports?.map(({ name }) => name)
    for (const { targetPort } of spec.ports ?? [])
      expect([metadata.name, ports]).toEqual([metadata.name, expect.arrayContaining([targetPort])])
  }
  const geo = programs(all).find(({ name }) => name === 'geo')
  expect(geo?.env.find(({ name }) => name === 'DEVICE_PORTS')?.value).toBe(
    standard.geo.devices.ports.map((one) => `${one.protocol}:${one.port}`).join(','),
  )
})

it('migrate runs before install and upgrade, once, alone with the secret of deployments; geo has its own and no other', () => {
  const [job, ...others] = of('Job')
  expect(others).toEqual([])
  expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  expect(job?.spec.backoffLimit).toBe(0)
  const known = Object.fromEntries(programs().map(({ name, envFrom }) => [name, envFrom.map(({ secretRef }) => secretRef.name)]))
  expect(known).toEqual({ api: ['outpost-server'], worker: ['outpost-server'], geo: ['outpost-geo'], migrate: ['outpost-deploy'] })
  const command = Object.fromEntries(programs().map(({ name, command: words = [] }) => [name, words.join(' ')]))
  expect(command).toEqual({ api: '', worker: '', geo: 'node apps/geo/src/main.ts', migrate: 'node scripts/migrate.ts apply' })
})

it('every setting is one that the program reads, as text', () => {
  for (const { name: program, env } of programs()) {
    const known = program === 'geo' ? geoSettings.shape : { ...serverSettings.shape, NODE_ENV: true }
    for (const { name, value } of env)
      expect([program, name, Object.hasOwn(known, name), typeof value]).toEqual([program, name, true, 'string'])
    expect(new Set(env.map(({ name }) => name)).size).toBe(env.length)
  }
  // Texts with signs that YAML reads as something else stay what they are.
  const odd = { S3_BUCKET: 'on', TRUST_PROXY: '10.0.0.0/8, "x": #', BUILD: '1.20' }
  const api = programs(rendered(values({ settings: odd }))).find(({ name }) => name === 'api')
  expect(Object.fromEntries(api?.env.filter(({ name }) => name in odd).map(({ name, value }) => [name, value]) ?? [])).toEqual(odd)
})

it('where pods are scaled, nothing says how many there are: api by CPU, worker by the age of the queue', () => {
  const scaled = values({ worker: { ...standard.worker, autoscaling: { ...standard.worker.autoscaling, enabled: true } } })
  const replicas = (from: Resource[]) =>
    Object.fromEntries(of('Deployment', from).map(({ metadata, spec }) => [metadata.name, spec.replicas]))
  expect(replicas(rendered())).toEqual({ 'test-api': undefined, 'test-geo': 1, 'test-worker': 2 })
  expect(replicas(rendered(scaled))).toEqual({ 'test-api': undefined, 'test-geo': 1, 'test-worker': undefined })
  const scalers = of('HorizontalPodAutoscaler', rendered(scaled))
  expect(scalers.map(({ spec }) => [spec.scaleTargetRef?.name, spec.minReplicas])).toEqual([
    ['test-api', 2],
    ['test-worker', 2],
  ])
  expect(JSON.stringify(scalers[1]?.spec.metrics)).toContain('outbox_oldest_seconds')
  expect(readFileSync(resolve(import.meta.dirname, '../../packages/platform/src/outbox-relay.ts'), 'utf8')).toContain(
    `gauge('outbox_oldest_seconds'`,
  )
})

it('a balancer before the device ports is told what its cloud understands, and the geo service whom to believe', () => {
  const devices = { ...standard.geo.devices, annotations: { 'cloud.example/proxy-protocol': '*' } }
  const given = values({ geo: { ...standard.geo, devices }, geoSettings: { DEVICE_PROXIES: '10.0.0.0/8' } })
  const found = of('Service', rendered(given)).find(({ metadata }) => metadata.name === 'test-devices')
  expect(found?.metadata.annotations).toEqual({ 'cloud.example/proxy-protocol': '*' })
  expect(of('Service').find(({ metadata }) => metadata.name === 'test-devices')?.metadata.annotations).toBeUndefined()
  const geo = programs(rendered(given)).find(({ name }) => name === 'geo')
  expect(geo?.env.find(({ name }) => name === 'DEVICE_PROXIES')?.value).toBe('10.0.0.0/8')
})

it('an ingress is there when asked for', () => {
  expect(of('Ingress')).toEqual([])
  const asked = { enabled: true, className: 'nginx', host: 'outpost.example', tlsSecret: 'tls', annotations: { a: 'b' } }
  const [ingress] = of('Ingress', rendered(values({ ingress: asked })))
  expect(JSON.stringify(ingress)).toContain('"name":"test-api","port":{"name":"http"}')
  expect(ingress?.metadata.annotations).toEqual({ a: 'b' })
})

const hasGo = spawnSync('go', ['version']).status === 0

it.skipIf(!hasGo)('the language of Go itself, where there is one, draws the same resources', { timeout: 180_000 }, () => {
  const scaled = { ...standard.worker, autoscaling: { ...standard.worker.autoscaling, enabled: true } }
  const ingress = { enabled: true, className: 'nginx', host: 'outpost.example', tlsSecret: 'tls', annotations: { a: 'b' } }
  const files = readdirSync(join(chart, 'templates')).map((name) => join(chart, 'templates', name))
  const program = resolve(import.meta.dirname, '../support/chart.go')
  for (const given of [values(), values({ worker: scaled, ingress, settings: { S3_BUCKET: 'on', BUILD: '1.20' } })]) {
    const input = JSON.stringify({ Values: given, Release: { Name: 'test' } })
    const { status, stdout, stderr } = spawnSync('go', ['run', program, ...files], { input, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    const drawn = stdout
      .split('\0')
      .flatMap((one) => parseAllDocuments(one).flatMap((document) => (document.contents === null ? [] : [document.toJS() as unknown])))
    expect(drawn).toEqual(rendered(given))
  }
})

const hasHelm = spawnSync('helm', ['version', '--short']).status === 0

it.skipIf(!hasHelm)('Helm itself, where there is one, lints the chart and renders what is checked above', () => {
  const given = ['--set', 'publicUrl=https://outpost.example', '--set', 'databaseUrl=postgres://db:5432/outpost']
  const run = (...args: string[]) => spawnSync('helm', args, { encoding: 'utf8' })
  const lint = run('lint', '--strict', chart, ...given)
  expect([lint.status, lint.stdout + lint.stderr]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  const rendered = run('template', 'outpost', chart, ...given)
  expect([rendered.status, rendered.stderr]).toEqual([0, ''])
  const kinds = parseAllDocuments(rendered.stdout).flatMap((one) => (one.toJS() as { kind?: string } | null)?.kind ?? [])
  expect(kinds).toEqual(expect.arrayContaining(['Deployment', 'Job', 'PodDisruptionBudget', 'Service']))
})
