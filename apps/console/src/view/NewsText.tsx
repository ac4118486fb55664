import { Link } from '@tanstack/react-router'
import { t } from '../session/labels.ts'

interface NewsTextProps {
  message: string
  /** Screen of what it is about. */
  link?: string | null
  onFollow?: () => void
}

/** What a notification says, leading to what it is about. */
export const NewsText = ({ message, link, onFollow }: NewsTextProps) =>
  link?.startsWith('/') ? (
    <Link {...targetOf(link)} onClick={onFollow}>
      {t(message)}
    </Link>
  ) : (
    <span>{t(message)}</span>
  )

/** A path with a query, as the router wants it. */
function targetOf(link: string) {
  const [to = '', search] = link.split('?')
  return { to, search: Object.fromEntries(new URLSearchParams(search)) as never }
}
