import { paths } from '../../paths.ts';
import { Accordion } from '../../ui/accordion.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { HowItWorksSteps } from '../home/steps.tsx';
import { PhotoVideoComparison } from '../gallery/photo-video-comparison.tsx';
import { Picture } from '../../ui/picture.tsx';
import { PageIntro, Section } from '../section.tsx';

const technology = [
  {
    title: 'It reads the picture',
    text: 'What’s near and what’s far, where the light comes from, and what would have moved a moment later.',
  },
  {
    title: 'It adds only motion',
    text: 'We never remove people or add anyone. We add snow or falling leaves only if you ask for them after you see your video.',
  },
  {
    title: 'It loops without a seam',
    text: 'Each video ends where it began, so a picture can play all evening and never jump.',
  },
  {
    title: 'A person checks it',
    text: 'We check every video before we send it. If something doesn’t look right, we make it again with a different motion.',
  },
];

export const commonQuestions = [
  {
    question: 'What types of photos work best?',
    answer:
      'Sharp photos with a clear subject: portraits, couples and groups, pets, landscapes with water or sky. We recommend JPG or PNG, at least 1200 x 1200 pixels. Scans and good snapshots of old prints work well.',
  },
  {
    question: 'How long does processing take?',
    answer: '24-72 hours after you finish uploading. You get an email as soon as your videos are ready.',
  },
  {
    question: 'Can I use my videos outside the frame?',
    answer:
      'Yes. Every video is an MP4 file. With the backup link in your email you can watch, download and share them on any phone, computer or TV.',
  },
];

export function HowItWorksPage() {
  return (
    <>
      <PageIntro
        title="From a still photo to a small, living scene."
        lede="You choose the pictures. Our software finds the movement in them, we check the result, and your frame does the rest."
        picture={
          <Picture
            src="product/living-room"
            sizes="(min-width: 80rem) 44rem, (min-width: 64rem) 54vw, 92vw"
            alt="The Kinframe on a wooden console in the evening, a birthday cake glowing on its screen."
            priority
            className="aspect-8/5 w-full rounded-xl lg:aspect-4/3"
          />
        }
      >
        <div className="mt-9 flex flex-wrap gap-3">
          <LinkButton size="large" to={paths.kinframe}>
            Get your Kinframe
          </LinkButton>
          <LinkButton size="large" look="secondary" to={paths.gallery}>
            View the gallery
          </LinkButton>
        </div>
      </PageIntro>
      <Section ground="linen" title="Three steps">
        <HowItWorksSteps />
      </Section>
      <Section
        ground="night"
        title="The technology, in plain words"
        lede="Artificial intelligence finds the movement. Restraint does the rest."
      >
        <div className="grid items-center gap-12 lg:grid-cols-2 lg:gap-20">
          <PhotoVideoComparison
            name="promenade"
            title="An old print of a family on a seaside promenade"
            caption="The print, and the video we made of it."
          />
          <ol className="space-y-8">
            {technology.map(({ title, text }) => (
              <li key={title} className="border-t border-sand/40 pt-5">
                <h3 className="title-3 text-paper">{title}</h3>
                <p className="mt-2">{text}</p>
              </li>
            ))}
          </ol>
        </div>
      </Section>
      <Section title="Most common questions">
        <Accordion items={commonQuestions.map(({ question, answer }) => ({ title: question, body: answer }))} />
        <div className="mt-14 flex flex-wrap gap-3">
          <LinkButton size="large" to={paths.kinframe}>
            Get your Kinframe
          </LinkButton>
          <LinkButton size="large" look="secondary" to={paths.gallery}>
            View the gallery
          </LinkButton>
        </div>
      </Section>
    </>
  );
}
