import { mistakeAt } from '../../app/mistakes.ts';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { texts } from '../../texts/texts.ts';
import { meansOf } from '../payments/method.tsx';
import { freeSchemes, nextProfile, PROFILE_TEXTS, type Profile, type ProfileText } from './profile.ts';

const { profile: words } = texts.services;

type ProfileFieldsProps = {
  readonly profiles: readonly Profile[];
  readonly onChange: (profiles: readonly Profile[]) => void;
  readonly error: unknown;
};

/** The merchant's profile at each card scheme. The provider sends it with an authentication. */
export function ProfileFields({ profiles, onChange, error }: ProfileFieldsProps) {
  const [free] = freeSchemes(profiles);
  return (
    <>
      <h3 className="form-part">{texts.services.details.profile}</h3>
      <p className="quiet">{words.text}</p>
      {profiles.map((profile, at) => (
        <SchemeFields
          // The scheme of a profile may change while its select has the focus.
          key={at}
          {...{ profile, profiles, at, error }}
          onChange={(next) => onChange(profiles.with(at, next))}
          onRemove={() => onChange(profiles.toSpliced(at, 1))}
        />
      ))}
      {free && (
        <div>
          <Button icon="plus" onPress={() => onChange([...profiles, nextProfile(profiles, free)])}>
            {words.add}
          </Button>
        </div>
      )}
      <span className="mistake" role="alert">
        {mistakeAt(error, 'merchantProfile')}
      </span>
    </>
  );
}

/** The name of a card scheme, such as `Visa`. */
export const schemeName = (scheme: Profile['scheme']): string =>
  scheme === 'OTHER' ? words.other : meansOf({ method: scheme.toLowerCase(), card: null });

type SchemeProps = {
  readonly profile: Profile;
  readonly profiles: readonly Profile[];
  /** The place of the profile in the input. */
  readonly at: number;
  readonly error: unknown;
  readonly onChange: (profile: Profile) => void;
  readonly onRemove: () => void;
};

function SchemeFields({ profile, profiles, at, error, onChange, onRemove }: SchemeProps) {
  const name = schemeName(profile.scheme);
  return (
    <fieldset className="profile" aria-label={name}>
      <div className="profile-head">
        <SelectField
          label={words.scheme}
          mistake={mistakeAt(error, `merchantProfile.${at}.scheme`)}
          value={profile.scheme}
          options={freeSchemes(profiles, profile.scheme).map((each) => [each, schemeName(each)])}
          onChange={(scheme) => onChange({ ...profile, scheme })}
        />
        <Button icon="trash" onPress={onRemove}>
          {words.remove(name)}
        </Button>
      </div>
      <div className="profile-texts">
        {(Object.keys(PROFILE_TEXTS) as readonly ProfileText[]).map((key) => (
          <TextField
            key={key}
            label={words.field[key]}
            hint={HINTS[key]}
            mistake={mistakeAt(error, `merchantProfile.${at}.${key}`)}
            required
            maxLength={PROFILE_TEXTS[key]}
            inputMode={key in HINTS ? 'numeric' : 'text'}
            value={profile[key]}
            onChange={(value) => onChange({ ...profile, [key]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The forms of the numeric texts. */
const HINTS: Readonly<Partial<Record<ProfileText, string>>> = {
  merchantCountryCode: words.countryHint,
  merchantCategoryCode: words.categoryHint,
};
