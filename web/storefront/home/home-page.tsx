import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { faqsQuery, galleryQuery } from '../../data/queries.ts';
import { paths } from '../../paths.ts';
import { scrollToSection, takeScrollTarget } from '../../scroll-target.ts';
import { Accordion } from '../../ui/accordion.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { useAddress, useNavigation } from '../../ui/navigation.tsx';
import { areExamplePictures, examplePicturesText } from '../gallery/example-pictures.ts';
import { GalleryGrid } from '../gallery/gallery-grid.tsx';
import { Section } from '../section.tsx';
import { TryInvitation } from '../try-invite.tsx';
import { HomeClosingSection } from './closing.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { Packages } from './packages.tsx';
import { HowItWorksSteps } from './steps.tsx';

export function HomePage() {
  /** With `/?select-product=true`, the page scrolls to the products and then removes the param from the address. */
  const selectProduct = useAddress().search['select-product'] === 'true';
  const { changeSearch } = useNavigation();
  const { data: gallery } = useQuery(galleryQuery());
  const { data: faqs } = useQuery(faqsQuery());

  useEffect(() => {
    const target = selectProduct ? 'products' : takeScrollTarget();
    if (!target) return;
    // Wait until the router has scrolled the page to its top.
    const timer = setTimeout(() => {
      scrollToSection(target, 'instant');
      if (selectProduct) changeSearch({ 'select-product': undefined });
    }, 50);
    return () => clearTimeout(timer);
  }, [selectProduct, changeSearch]);

  return (
    <>
      <Hero onChoose={() => scrollToSection('products')} />
      <Features />
      <TryInvitation className="wrap pb-16 sm:pb-24" />
      <Section
        id="how-it-works"
        ground="linen"
        title="How it works"
        lede="From a photo on your phone to a living picture, in three steps."
        aside={
          <LinkButton look="secondary" to={paths.howItWorks}>
            More about the process
          </LinkButton>
        }
      >
        <HowItWorksSteps />
      </Section>
      <Section
        id="products"
        title="Choose your package"
        lede="A frame with everything included, or just the animation for a frame you already have."
      >
        <Packages />
      </Section>
      {gallery && gallery.length > 0 && (
        <Section
          id="gallery"
          ground="linen"
          title="Before, and after"
          lede={
            <>
              {areExamplePictures(gallery) && `${examplePicturesText} `}
              <span className="needs-script pointer-coarse:hidden">Point at a picture to see it move, or open it.</span>
              <span className="needs-script hidden pointer-coarse:inline">Tap a picture to see it move.</span>
            </>
          }
          aside={
            <LinkButton look="secondary" to={paths.gallery}>
              View the full gallery
            </LinkButton>
          }
        >
          <GalleryGrid items={gallery.slice(0, 6)} teaser />
        </Section>
      )}
      {faqs && faqs.length > 0 && (
        <Section title="Good questions">
          <div className="grid gap-10 lg:grid-cols-[2fr_1fr]">
            <Accordion items={faqs.slice(0, 3).map(({ question, answer }) => ({ title: question, body: answer }))} />
            <div className="lg:pl-8">
              <p className="lede">Shipping, privacy, old prints, other frames: find most answers on one page.</p>
              <LinkButton look="secondary" to={paths.faq} className="mt-6">
                View all FAQs
              </LinkButton>
            </div>
          </div>
        </Section>
      )}
      <HomeClosingSection />
    </>
  );
}
