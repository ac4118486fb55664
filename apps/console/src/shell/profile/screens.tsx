export { ProfileScreen } from './ProfileScreen.tsx'
export { EditProfileScreen } from './EditProfileScreen.tsx'
export { SignInsScreen } from './SignInsScreen.tsx'
export { ChangePasswordScreen } from './ChangePasswordScreen.tsx'
