import { Logo } from '../theme/Logo.tsx'
import { t } from '../session/labels.ts'

/** Shown while the session is taken up; same place as the sign-in logo, so that nothing jumps. */
export function Splash() {
  return (
    <div className="o-splash" role="status" aria-label={t('Loading')}>
      <Logo size={36} />
      <span className="o-splash-bar" />
    </div>
  )
}
