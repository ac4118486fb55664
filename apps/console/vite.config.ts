import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { antdStyles } from './antd/static-styles.ts'
import { groundAssets } from './ground/assets.ts'
import { bootScript } from './src/boot-script.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
process.env.VITE_VERSION ??= version
process.env.VITE_BUILD ??= process.env.BUILD ?? 'local'

const server = process.env.OUTPOST_SERVER ?? 'http://127.0.0.1:8080'

/** Serves the boot script, and emits it under a name that browsers keep for ever: the page waits for it. */
function bootFile(): Plugin {
  const source = (behind?: readonly string[]) => bootScript(process.env.VITE_VERSION ?? 'dev', behind)
  const path = '/boot.js'
  return {
    name: 'outpost-boot-script',
    configureServer: (dev) => {
      dev.middlewares.use(path, (_request, response) => {
        response.setHeader('content-type', 'text/javascript').end(source())
      })
    },
    generateBundle(_, bundle) {
      this.emitFile({ type: 'asset', fileName: builtName(bundle), source: builtSource(bundle) })
    },
    transformIndexHtml: { order: 'post', handler: (html, { bundle }) => (bundle ? html.replace(path, `/${builtName(bundle)}`) : html) },
  }

  function builtSource(bundle: object): string {
    return source(
      Object.keys(bundle)
        .filter((name) => behindSignInFiles.test(name))
        .map((name) => `/${name}`),
    )
  }
  function builtName(bundle: object): string {
    return `assets/boot-${createHash('sha256').update(builtSource(bundle)).digest('base64url').slice(0, 8)}.js`
  }
}

/** Names of the chunks that every screen behind the sign-in draws, and a first list. */
const behind = 'icons|shell|list|view|fields|records'
const behindSignInFiles = new RegExp(`^assets/(${behind})-[^/]+\\.(js|css)$`)

/** Names of routes are found as texts in the console's sources; the built console knows the addresses of these alone. */
function ownRoutes(): Plugin {
  return {
    name: 'outpost-own-routes',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/packages/client/generated/routes.ts')) return undefined
      const folder = new URL('./src/', import.meta.url)
      const texts = globSync('**/*.{ts,tsx}', { cwd: folder.pathname }).map((path) => readFileSync(new URL(path, folder), 'utf8'))
      const said = new Set(texts.flatMap((text) => [...text.matchAll(/'([\w.]+\.\w+)'/g)].map(([, name]) => name)))
      return code
        .split('\n')
        .filter((line) => {
          const name = /^ {2}'([^']+)': /.exec(line)?.[1]
          return name === undefined || said.has(name)
        })
        .join('\n')
    },
  }
}

const icon = (size: number, purpose: 'any' | 'maskable') => ({
  src: `/icons/${purpose}-${size}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
})

/** Locale files name every part, so they go with the base. */
const antdParts =
  (parts: string) =>
  (id: string): boolean =>
    new RegExp(`node_modules/(antd/es|@rc-component)/(${parts})/`).test(id) && !id.includes('locale')

const neverShown = `export default function LeftOut() { throw new Error('Left out of the build: see narrowed in vite.config.ts') }`
const colour = `export { Color } from '@rc-component/color-picker/es/color.js'`

/**
 * What a part of antd asks of a whole package, and what it needs of it: a table's rows are chosen without a tree and have no
 * filters of antd's own, a button asks a colour whether it is bright.
 */
const narrowed: readonly { importer: string; source: string; code: string }[] = [
  {
    importer: 'antd/es/table/hooks/useFilter/index.js',
    source: './FilterDropdown',
    code: `${neverShown}\nexport const flattenKeys = LeftOut`,
  },
  { importer: '@rc-component/tree/es/util.js', source: './TreeNode', code: neverShown },
  {
    importer: 'antd/es/table/hooks/useSelection.js',
    source: '@rc-component/tree',
    code: `
    export { arrAdd, arrDel } from '@rc-component/tree/es/util.js'
    export { conductCheck } from '@rc-component/tree/es/utils/conductUtil.js'
    export { convertDataToEntities } from '@rc-component/tree/es/utils/treeUtil.js'`,
  },
  { importer: 'antd/es/color-picker/components/ColorPresets.js', source: '../../collapse', code: neverShown },
  {
    importer: 'antd/es/color-picker/components/ColorPresets.js',
    source: '@rc-component/color-picker',
    code: `
    ${colour}
    export { default as ColorBlock } from '@rc-component/color-picker/es/components/ColorBlock.js'`,
  },
  // What makes styles at run time: antd/static-styles.ts has made them.
  { importer: '@ant-design/cssinjs/es/index.js', source: './hooks/useStyleRegister', code: neverShown },
  { importer: 'antd/es/config-provider/style/index.js', source: '../../theme/internal', code: 'export const useResetIconStyle = () => {}' },
  { importer: 'antd/es/color-picker/color.js', source: '@rc-component/color-picker', code: colour },
  { importer: 'antd/es/color-picker/util.js', source: '@rc-component/color-picker', code: colour },
]

/** Builds these parts without the rest, which a chunk would hold whether or not anything calls it. */
function narrow(): Plugin {
  const prefix = '\0narrowed:'
  return {
    name: 'outpost-narrow',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source, importer = '') => {
      const place = narrowed.findIndex((one) => one.source === source && importer.endsWith(one.importer))
      return place < 0 ? null : `${prefix}${place}`
    },
    load: (id) => (id.startsWith(prefix) ? narrowed[Number(id.slice(prefix.length))]?.code : null),
  }
}

/**
 * Says of the chunks of the first screen that their functions are called at once: a browser that knows the hint (Chromium 136 and later) compiles
 * them while they are loaded, beside the main thread, instead of reading each function twice there.
 */
function compileHints(): Plugin {
  const called = new RegExp(`/(react|routing|base|start|${behind})-`)
  return {
    name: 'outpost-compile-hints',
    apply: 'build',
    // Once it is written: what makes chunks smaller drops comments.
    async writeBundle({ dir = '' }, bundle) {
      for (const { type, fileName } of Object.values(bundle)) {
        if (type !== 'chunk' || !called.test(fileName)) continue
        const path = join(dir, fileName)
        await writeFile(path, `//# allFunctionsCalledOnLoad\n${await readFile(path, 'utf8')}`)
      }
    },
  }
}

interface ModuleGraph {
  getModuleInfo: (id: string) => { importedIds: string[] } | null
}

/** Our own files that a file of the console imports, except by `import()`. */
function importsOf(file: string, graph: ModuleGraph): Set<string> {
  const found = new Set([fileURLToPath(new URL(`./src/${file}`, import.meta.url))])
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) if (!imported.includes('/node_modules/')) found.add(imported)
  return found
}

const behindSignIn = [
  'shell/layout/StandardLayout.tsx',
  'shell/layout/ScreenHost.tsx',
  'shell/SignedInParts.tsx',
  'shell/layout/first-screen.ts',
]
const simpler = ['custom/home/Home.tsx', 'view/kinds/dashboard/DashboardKind.tsx', 'custom/calendar/ActivityCalendar.tsx']

/** Modules that are always loaded together, by the name of their chunk; a module goes into the first that has it. */
function loadedTogether(graph: ModuleGraph): Record<string, Set<string>> {
  const of = (file: string) => importsOf(file, graph)
  const list = of('view/kinds/list/ListKind.tsx')
  const union = (files: readonly string[]) => files.map(of).reduce((all, some) => all.union(some))
  const shell = union(behindSignIn)
  const signIn = of('shell/public/LoginScreen.tsx')
  return {
    start: of('main.tsx').union(signIn.intersection(shell.union(list))),
    shell,
    view: list.intersection(union(simpler)),
    fields: list.intersection(of('view/kinds/form/FormKind.tsx')),
    records: list,
  }
}

/** A hundred chunks of half a kilobyte compress badly: one group for each of these. */
function groupsLoadedTogether() {
  let chunks: Record<string, Set<string>> | undefined
  return ['start', 'shell', 'view', 'fields', 'records'].map((name) => ({
    debugName: name,
    name: (id: string, graph: ModuleGraph) => ((chunks ??= loadedTogether(graph))[name]?.has(id) ? name : null),
  }))
}

export default defineConfig({
  plugins: [
    react(),
    narrow(),
    antdStyles(),
    bootFile(),
    groundAssets(),
    ownRoutes(),
    compileHints(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/device',
      filename: 'worker.ts',
      registerType: 'prompt',
      injectRegister: false,
      injectManifest: { globPatterns: ['**/*.{js,css,html,svg,png,woff2}'], maximumFileSizeToCacheInBytes: 4_000_000 },
      manifest: {
        id: '/',
        name: 'Outpost',
        short_name: 'Outpost',
        description: 'Console for lending companies and their people in the field',
        lang: 'en-GB',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        theme_color: '#142d4f',
        background_color: '#f4f6f9',
        icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
      },
    }),
  ],
  build: {
    target: 'es2023',
    sourcemap: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'routing', test: /node_modules\/@tanstack\// },
            // What the sign-in shows of antd is one file, what every list shows another.
            { name: 'base', priority: 2, test: antdParts('config-provider|theme|form|input|button|alert|tooltip|space') },
            {
              name: 'list',
              priority: 1,
              test: antdParts('table|pagination|select|dropdown|menu|segmented|radio|checkbox|tag|skeleton|drawer|modal|popover'),
            },
            { name: 'icons', priority: 1, minShareCount: 3, test: /node_modules\/@ant-design\/icons(-svg)?\// },
            ...groupsLoadedTogether(),
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': { target: server, ws: true }, '/geo': { target: server }, '^/.*/[0-9a-f-]{36}\\.[\\w-]{22,}$': { target: server } },
  },
})
