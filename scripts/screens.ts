import { declaredAreas, printCoverage, readContract } from './areas.ts'

/** Paths that the console's shell handles itself, with and without a session. */
export const shellPaths = [
  '/login',
  '/login/oauth/authorize',
  '/token',
  '/impersonate/:id/:name',
  '/forgot-password',
  '/update-password',
  '/logout',
  '/end-impersonation',
  '/reset-password/:token',
  '/verify/:token',
  '/account/verification/:userId/:token',
  '/saml',
  '/not-authorized',
  '/coming-soon',
  '/offline',
  '*',
  '/profile',
  '/profile/edit',
  '/profile/change-password',
]

if (process.argv[1] === import.meta.filename) {
  const areas = await declaredAreas()
  const plain = (path: string) => path.replace(/(.)\/$/, '$1').replace(/:\w+\??/g, ':')
  const paths = new Set([...shellPaths, ...areas.flatMap((area) => area.screens.map((screen) => screen.path))].map(plain))
  const screens = await readContract<'area' | 'path' | 'access'>('screens.tsv')
  printCoverage(
    screens.map(({ area, path, access }) => ({ area, isThere: paths.has(plain(path)), text: `${path}  ${access}` })),
    { onlyMissing: process.argv.includes('--missing') },
  )
}
