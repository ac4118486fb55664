import { Button, Upload } from 'antd'
import { useState } from 'react'
import { call } from '../../data/calls.ts'
import { toast } from '../../feedback/toast.ts'
import { t } from '../../session/labels.ts'
import { useSession } from '../../session/session.ts'
import { StoredImage } from '../../view/fields/parts/stored-image.tsx'
import { smallPicture } from './small-picture.ts'

/** The own picture, as colleagues see it in lists. */
export function PictureCard({ picture }: { picture: string | null }) {
  const { layout, reloadLayout } = useSession()
  const [isBusy, setBusy] = useState(false)
  if (layout?.impersonation) return null
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await work()
      await reloadLayout()
    } catch (cause) {
      toast.danger({ title: cause instanceof Error ? t(cause.message) : t('The picture could not be saved.') })
    } finally {
      setBusy(false)
    }
  }
  const send = async (file: File): Promise<void> => {
    const body = new FormData()
    body.append('file', await smallPicture(file), 'picture.jpg')
    await call('users.setPicture', { body })
  }
  return (
    <section className="o-card" aria-labelledby="picture-title">
      <h2 id="picture-title">{t('Picture')}</h2>
      <div className="o-picture-row">
        {picture && (
          <span className="o-avatar o-picture-large">
            <StoredImage path={picture} alt={t('Your picture')} />
          </span>
        )}
        <Upload
          accept="image/png,image/jpeg,image/webp"
          showUploadList={false}
          beforeUpload={(file) => {
            void run(() => send(file))
            return false
          }}
        >
          <Button loading={isBusy}>{picture ? t('Choose another picture') : t('Choose a picture')}</Button>
        </Upload>
        {picture && (
          <Button disabled={isBusy} onClick={() => void run(() => call('users.removePicture'))}>
            {t('Remove picture')}
          </Button>
        )}
      </div>
    </section>
  )
}
