<?php
/**
 * Dependencies of the editor's script.
 *
 * @package Almanac
 */

return array(
	'dependencies' => array( 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-i18n', 'wp-server-side-render' ),
	'version'      => '0.2.0',
);
