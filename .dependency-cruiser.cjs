/**
 * The walls of design.md 2, as rules over imports. tests/architecture/walls.test.ts plants a violation of each.
 * contract <- rules <- platform <- server: kernel <- areas <- app <- main
 * contract <- rules <- console: data, offline <- map <- view <- custom <- shell <- app
 * platform <- geo: sql, fences, motion, positions <- rules, geocoding, commands, doctor <- ingest <- processing <- live <- api <- reports <- app
 */
const src = {
  contract: '^packages/contract/src',
  rules: '^packages/rules/src',
  client: '^packages/client/(src|generated)',
  platform: '^packages/platform/(src|generated)',
  server: '^apps/server/src',
  geo: '^apps/geo/src',
  console: '^apps/console/src',
}
const any = (...names) => `(${names.map((name) => src[name]).join('|')})`
const test = '[.](test|test-d|bench)[.]tsx?$'
/** Order of the console's layers, lowest first; a layer may use the ones before it. */
const layers = ['data|offline', 'map', 'view', 'custom', 'shell']

/** Order of the geo service's folders, lowest first. */
const geoLayers = ['sql|fences|motion|positions', 'rules|geocoding|commands|doctor', 'ingest', 'processing', 'live', 'api', 'reports']

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    forbid('no-circle', 'Files that need each other belong together; a type that both need has a file of its own.', {}, { circular: true }),
    forbid(
      'no-unresolved',
      'An import that leads nowhere.',
      {},
      { couldNotResolve: true, pathNot: '(virtual:|[.]png$|generated/|^pdfmake/interfaces)' },
    ),
    forbid(
      'contract-alone',
      'contract imports zod only.',
      { path: src.contract, pathNot: test },
      { pathNot: [src.contract, 'node_modules/zod/'] },
    ),
    forbid(
      'rules-contract-only',
      'rules import contract only (and libraries for sums).',
      { path: src.rules },
      { path: any('platform', 'server', 'geo', 'console') },
    ),
    forbid(
      'client-contract-only',
      'The typed client imports contract only: whoever calls the API may take it along.',
      { path: src.client },
      { path: any('rules', 'platform', 'server', 'geo', 'console') },
    ),
    forbid(
      'rules-do-no-io',
      'rules are pure: neither Node nor a machine.',
      { path: src.rules, pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'platform-knows-no-business',
      'platform imports contract and rules only.',
      { path: src.platform },
      { path: any('server', 'geo', 'console') },
    ),
    forbid('server-alone', 'server, geo and console never import each other.', { path: src.server }, { path: any('geo', 'console') }),
    forbid('geo-alone', 'server, geo and console never import each other.', { path: src.geo }, { path: any('server', 'console') }),
    forbid(
      'console-alone',
      'server, geo and console never import each other; the console knows no machine room.',
      { path: src.console },
      { path: any('platform', 'server', 'geo') },
    ),
    forbid(
      'kernel-below-areas',
      'The kernel never imports an area.',
      { path: '^apps/server/src/kernel/' },
      { path: '^apps/server/src/(areas/|app[.]ts|main[.]ts)' },
    ),
    forbid(
      'areas-below-app',
      'An area imports neither app nor main.',
      { path: '^apps/server/src/areas/' },
      { path: '^apps/server/src/(app|main)[.]ts' },
    ),
    forbid(
      'area-by-its-index',
      'An area imports another one through its index.ts only.',
      { path: '^apps/server/src/areas/([^/]+)/', pathNot: test },
      { path: '^apps/server/src/areas/[^/]+/', pathNot: ['^apps/server/src/areas/$1/', '/index[.]ts$'] },
    ),
    forbid(
      'home-by-declarations',
      'Home imports no area: what its boards show is declared by the areas (tiles, calls).',
      { path: '^apps/server/src/areas/home/', pathNot: test },
      { path: '^apps/server/src/areas/', pathNot: '^apps/server/src/areas/home/' },
    ),
    forbid(
      'area-order',
      'Inside an area: rules <- resource <- handlers <- area.',
      { path: '^apps/server/src/areas/.+[.]rules[.]ts$' },
      { path: '[.](resource|handlers|area)[.]ts$' },
    ),
    forbid(
      'resource-below-handlers',
      'Inside an area: rules <- resource <- handlers <- area.',
      { path: '^apps/server/src/areas/.+[.]resource[.]ts$' },
      { path: '[.](handlers|area)[.]ts$' },
    ),
    forbid(
      'handlers-below-area',
      'Inside an area: rules <- resource <- handlers <- area.',
      { path: '^apps/server/src/areas/.+[.]handlers[.]ts$' },
      { path: '[.]area[.]ts$' },
    ),
    forbid(
      'database-by-platform',
      'Only platform/db touches pg and the client of Prisma.',
      {
        path: any('contract', 'rules', 'platform', 'server', 'geo', 'console'),
        pathNot: ['^packages/platform/(src/db/|generated/)', test],
      },
      { path: 'node_modules/(@types/)?(pg|pg-query-stream|pg-copy-streams|@prisma/[^/]+)/' },
    ),
    forbid(
      'outgoing-by-platform',
      'Only platform/outgoing calls other machines by HTTP; mail, files and the bus go where the operator says.',
      {
        path: any('contract', 'rules', 'platform', 'server', 'geo'),
        pathNot: [
          test,
          '^packages/platform/src/(outgoing|mail|files/s3|queue|relay|http/counters|http/health)[.]ts$',
          '^packages/platform/(src/db/|generated/)',
        ],
      },
      {
        path: '^(node:)?(http|https|http2|tls)$|node_modules/(undici|axios|got|node-fetch|nodemailer|ioredis|@aws-sdk/[^/]+)/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'prisma-client-by-platform',
      'Only platform/db touches pg and the client of Prisma.',
      { path: any('server', 'geo', 'console', 'rules', 'contract'), pathNot: test },
      { path: '^packages/platform/generated/' },
    ),
    forbid(
      'custom-screens-are-strangers',
      'A custom screen never imports another one.',
      { path: '^apps/console/src/custom/([^/]+)/' },
      { path: '^apps/console/src/custom/[^/]+/', pathNot: '^apps/console/src/custom/$1/' },
    ),
    ...layers
      .slice(0, -1)
      .map((layer, index) =>
        forbid(
          `console-${layer.replace('|', '-')}-below`,
          'data, offline <- map <- view <- custom <- shell <- app.',
          { path: `^apps/console/src/(${layer})/`, pathNot: test },
          { path: `^apps/console/src/((${layers.slice(index + 1).join('|')})/|(app|main)[.]tsx$)` },
        ),
      ),
    ...geoLayers.map((layer, index) =>
      forbid(
        `geo-${layer.split('|')[0]}-below`,
        'A folder of the geo service imports those before it only.',
        { path: `^apps/geo/src/(${layer})/`, pathNot: test },
        {
          path: `^apps/geo/src/(${geoLayers
            .slice(index + 1)
            .map((later) => `(${later})/|`)
            .join('')}[^/]+[.]ts$)`,
        },
      ),
    ),
    forbid(
      'shell-below-app',
      'data, offline <- view <- custom <- shell <- app.',
      { path: '^apps/console/src/shell/' },
      { path: '^apps/console/src/(app|main)[.]tsx$' },
    ),
    forbid(
      'no-tests-in-code',
      'What runs never imports a test.',
      { path: '^(packages|apps|scripts|prisma)/', pathNot: [test, '^scripts/bench[.]ts$'] },
      { path: [test, '^tests/'] },
    ),
    forbid(
      'scripts-are-last',
      'Nothing that runs imports a script or the seed.',
      { path: '^(packages|apps)/', pathNot: test },
      { path: '^(scripts|prisma)/' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|generated/prisma|dev-dist)/' },
    combinedDependencies: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
    cache: { folder: 'node_modules/.cache/outpost/depcruise', strategy: 'content' },
  },
}
