import type { ConsoleFrame } from '@outpost/contract/console'
import { currentTheme } from '../../theme/current.ts'

/** Copyright line with the current year, version and build id. */
export function Footer({ frame }: { frame: Pick<ConsoleFrame, 'version' | 'build'> }) {
  return (
    <footer className="o-foot">
      <span>
        © {new Date().getFullYear()} {currentTheme.productName}
      </span>
      <span>
        Version {frame.version} · Build {frame.build}
      </span>
    </footer>
  )
}
