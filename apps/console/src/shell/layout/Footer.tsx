import type { ConsoleFrame } from '@outpost/contract/console'
import { Copyright } from '../Copyright.tsx'

/** Copyright line, version and build id. */
export function Footer({ frame }: { frame: Pick<ConsoleFrame, 'version' | 'build'> }) {
  return (
    <footer className="o-foot">
      <Copyright />
      <span>
        Version {frame.version} · Build {frame.build}
      </span>
    </footer>
  )
}
