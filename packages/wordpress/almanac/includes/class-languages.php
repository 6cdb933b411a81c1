<?php
/**
 * The published language of a page, and the labels around a text: headings and names of signs must be in the text's
 * language, not in that of WordPress, so the site provides them.
 *
 * @package Almanac
 */

namespace Almanac;

/** Languages are BCP 47 as the site has them: `en`, `ar`, `fil`. */
final class Languages {
	/** WordPress's names that are not the site's. */
	const OTHERS = array(
		'tl' => 'fil',
		'in' => 'id',
	);
	/** The lists of names that a page takes from a language's words. */
	const LISTS = array( 'signs', 'operations', 'sections', 'luckKinds', 'pairSections', 'pairScores', 'places', 'orientations', 'cardSections', 'page' );

	/**
	 * For a block that names none.
	 *
	 * @param string $chosen The block's own, `page`, or nothing for the one of the settings.
	 */
	public static function chosen( string $chosen ): string {
		$language = '' === $chosen ? Settings::all()['language'] : $chosen;
		return 'page' === $language ? self::of_locale( get_locale(), array_keys( self::published() ) ) : $language;
	}

	/**
	 * The page's language where the site has it, else English, else the first that it has.
	 *
	 * @param string   $locale    Such as `pt_BR`.
	 * @param string[] $published As the site's index has them; none where that is not known yet.
	 */
	public static function of_locale( string $locale, array $published ): string {
		$language = self::base_of( $locale );
		if ( in_array( $language, $published, true ) || ( ! $published && self::is_code( $language ) ) ) {
			return $language;
		}
		return ! $published || in_array( 'en', $published, true ) ? 'en' : $published[0];
	}

	/** The site's languages with their own names, by code; none before the index was read. */
	public static function published(): array {
		$languages = array();
		$index     = '' === Settings::root() ? array() : Refresher::text( Ask::index() )['data'];
		foreach ( $index['languages'] ?? array() as $one ) {
			if ( is_string( $one['language'] ?? null ) && self::is_code( $one['language'] ) ) {
				$languages[ $one['language'] ] = is_string( $one['name'] ?? null ) ? $one['name'] : $one['language'];
			}
		}
		return $languages;
	}

	/** Whether the site can have it. */
	public static function is_code( string $language ): bool {
		return 1 === preg_match( '/^[a-z]{2,3}\z/', $language );
	}

	/**
	 * The words around a text: names by their list, and `direction`. Where the site has none, or none were to be had yet, the
	 * lists are empty and the browser sees by the text how it runs.
	 *
	 * @param string $language Of the text.
	 */
	public static function words( string $language ): array {
		$data  = Kept_Texts::find( Ask::words( $language ) )['data'] ?? array();
		$words = array( 'direction' => in_array( $data['direction'] ?? '', array( 'ltr', 'rtl' ), true ) ? $data['direction'] : 'auto' );
		foreach ( self::LISTS as $list ) {
			$names          = $data[ $list ] ?? null;
			$words[ $list ] = is_array( $names ) ? array_filter( $names, 'is_string' ) : array();
		}
		if ( is_string( $data['luck'] ?? null ) ) {
			$words['sections']['luck'] = $data['luck'];
		}
		return $words;
	}

	/**
	 * `lang` and `dir` where the text's are not the page's, which a screen reader and a browser must be told.
	 *
	 * @param string $language  Of the text.
	 * @param string $direction Of its words.
	 */
	public static function attributes( string $language, string $direction ): array {
		$page    = self::base_of( get_locale() );
		$changes = is_rtl() ? 'rtl' : 'ltr';
		if ( $language === $page && $direction === $changes ) {
			return array();
		}
		return array(
			'lang' => $language,
			'dir'  => $direction,
		);
	}

	/** In which language the page itself is. */
	public static function base_of( string $locale ): string {
		$base = strtolower( preg_split( '/[_-]/', $locale )[0] );
		return self::OTHERS[ $base ] ?? $base;
	}
}
